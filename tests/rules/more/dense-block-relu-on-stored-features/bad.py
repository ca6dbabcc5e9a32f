from collections import OrderedDict

import torch
import torch.nn as nn


class Gate(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.squeeze = nn.AdaptiveAvgPool2d(1)
        self.excite = nn.Conv2d(channels, channels, 1)

    def forward(self, x):
        return x * self.excite(self.squeeze(x)).sigmoid()


class DenseLayer(nn.Sequential):
    def __init__(self, cin, growth):
        super().__init__(OrderedDict([
            ("relu", nn.ReLU(inplace=True)),
            ("conv", nn.Conv2d(cin, growth, 3, padding=1, bias=False)),
            ("tanh", nn.Tanh()),
        ]))


class DenseBlock(nn.ModuleDict):
    def __init__(self, layers, cin, growth):
        super().__init__()
        for i in range(layers):
            self.add_module(f"denselayer{i + 1}", DenseLayer(growth if i else cin, growth))

    def forward(self, x):
        features = [x]
        for _, layer in self.items():
            features.append(layer(features[-1]))
        return torch.cat(features, 1)


torch.manual_seed(0)
net = nn.Sequential(nn.Conv2d(3, 4, 3, padding=1), DenseBlock(3, 4, 2), Gate(10), nn.AdaptiveMaxPool2d(1), nn.Flatten(), nn.Linear(10, 2))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(2):
    opt.zero_grad()
    nn.functional.cross_entropy(net(torch.randn(4, 3, 8, 8)), torch.randint(2, (4,))).backward()
    opt.step()

import torch
from torch import nn


class DenseLayer(nn.Module):
    def __init__(self, channels, growth):
        super().__init__()
        self.layer = nn.Sequential(nn.ReLU(inplace=True), nn.Conv2d(channels, growth, 3, padding=1))

    def forward(self, x):
        return torch.cat([x, self.layer(x)], dim=1)


class DenseNet(nn.Module):
    def __init__(self, growth=4, depth=2):
        super().__init__()
        self.stem = nn.Conv2d(1, 4, 3, padding=1)
        self.blocks = nn.ModuleList(DenseLayer(4 + i * growth, growth) for i in range(depth))
        self.head = nn.Linear(4 + depth * growth, 3)

    def forward(self, x):
        x = self.stem(x)
        for block in self.blocks:
            x = block(x)
        return self.head(x.mean((2, 3)))


torch.manual_seed(0)
net = DenseNet()
nn.functional.cross_entropy(net(torch.randn(2, 1, 6, 6)), torch.tensor([0, 2])).backward()
with torch.no_grad():
    x = torch.randn(1, 4, 5, 5)
    kept = torch.equal(net.blocks[0](x.clone())[:, :4], x)
print("OK" if kept else "HAZARD-OBSERVED")

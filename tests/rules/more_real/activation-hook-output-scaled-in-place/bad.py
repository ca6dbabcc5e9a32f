import torch
from torch import nn


class GatedBlock(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.value = nn.Linear(dim, dim)
        self.gate = nn.Sequential(nn.Linear(dim, dim), nn.Sigmoid())

    def forward(self, x):
        return self.value(x) * self.gate(x)


features = {}


def keep(name):
    def hook(module, inputs, output):
        features[name] = output

    return hook


torch.manual_seed(0)
model = nn.Sequential(GatedBlock(6), nn.Linear(6, 2))
model[0].gate.register_forward_hook(keep("gate"))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for step in range(2):
    x, y = torch.randn(5, 6), torch.randint(2, (5,))
    loss = nn.functional.cross_entropy(model(x), y)
    mask = features["gate"].mul_(0.5)
    loss = loss + 0.01 * mask.abs().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

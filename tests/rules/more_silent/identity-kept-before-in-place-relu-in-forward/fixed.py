import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.relu = nn.ReLU()
        self.conv = nn.Conv1d(channels, channels, 3, padding=1)

    def forward(self, x):
        identity = x
        x = self.relu(x)
        x = self.conv(x)
        return x + identity


torch.manual_seed(0)
net = nn.Sequential(nn.Conv1d(2, 4, 3, padding=1), Block(4), nn.Flatten(), nn.Linear(20, 2))
loss = nn.functional.cross_entropy(net(torch.randn(3, 2, 5)), torch.tensor([0, 1, 1]))
loss.backward()
with torch.no_grad():
    x = torch.randn(1, 4, 5)
    expected = net[1].conv(x.relu()) + x
    same = torch.allclose(net[1](x.clone()), expected, atol=1e-6)
print("OK" if same else "HAZARD-OBSERVED")

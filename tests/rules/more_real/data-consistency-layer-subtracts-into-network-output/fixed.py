import torch
import torch.nn as nn


class Cascade(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.conv = nn.Conv1d(channels, channels, 3, padding=1)
        self.gate = nn.Sequential(nn.Conv1d(channels, channels, 1), nn.Sigmoid())
        self.act = nn.ReLU()

    def forward(self, x, measured):
        gate = self.gate(x)
        residual = self.act(gate) * (self.conv(x) - measured)
        return x - residual


class Unrolled(nn.Module):
    def __init__(self, channels=2, cascades=2):
        super().__init__()
        self.cascades = nn.ModuleList(Cascade(channels) for _ in range(cascades))

    def forward(self, measured):
        x = measured
        for cascade in self.cascades:
            x = cascade(x, measured)
        return x


torch.manual_seed(0)
net = Unrolled()
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
for _ in range(2):
    y = torch.randn(3, 2, 10)
    optimizer.zero_grad()
    nn.functional.l1_loss(net(y), torch.zeros_like(y)).backward()
    optimizer.step()

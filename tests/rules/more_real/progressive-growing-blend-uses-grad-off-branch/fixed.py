import torch
import torch.nn as nn


class Progressive(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(4, 8), nn.LeakyReLU(0.2))
        self.old, self.new = nn.Linear(8, 3), nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 3))

    def forward(self, z, alpha):
        h = self.trunk(z)
        before = self.old(h)
        return alpha * self.new(h) + (1 - alpha) * before


torch.manual_seed(0)
net = Progressive()
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
for step in range(3):
    loss = net(torch.randn(6, 4), step / 3).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
print("HAZARD-OBSERVED" if net.old.weight.grad is None else "OK")

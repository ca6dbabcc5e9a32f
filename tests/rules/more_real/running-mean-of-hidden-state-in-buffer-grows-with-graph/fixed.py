import torch
import torch.nn as nn


class RunningNorm(nn.Module):
    def __init__(self, dim, momentum=0.1):
        super().__init__()
        self.register_buffer("mean", torch.zeros(dim))
        self.momentum = momentum

    def forward(self, x):
        out = x - self.mean.detach()
        self.mean = (1 - self.momentum) * self.mean + self.momentum * x.mean(0).detach()
        return out


torch.manual_seed(0)
net = nn.Sequential(nn.Linear(3, 5), RunningNorm(5), nn.Linear(5, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(4):
    opt.zero_grad()
    net(torch.randn(6, 3)).pow(2).mean().backward()
    opt.step()
print("HAZARD-OBSERVED" if net[1].mean.requires_grad else "OK")

import torch
from torch import nn

torch.manual_seed(0)
m = nn.Sequential(nn.Linear(3, 3), nn.Tanh(), nn.Linear(3, 1))
out = m(torch.randn(2, 3))
with torch.no_grad():
    for p in m.parameters():
        p.mul_(0.9)  # observed: AGH301
out.sum().backward()

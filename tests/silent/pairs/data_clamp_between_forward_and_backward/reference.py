import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
x = torch.randn(8, 3)
y = torch.randn(8, 3)
old = torch.autograd.grad(net(x).pow(2).mean(), list(net.parameters()))
with torch.no_grad():
    for p in net.parameters():
        p.clamp_(-0.1, 0.1)
new = torch.autograd.grad(net(x).pow(2).mean(), list(net.parameters()))
result = [list(old), list(new)]

import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
x = torch.randn(8, 3)
y = torch.randn(8, 3)
optimizer = torch.optim.AdamW(net.parameters(), lr=0.5, foreach=False)
old = torch.autograd.grad(net(y).pow(2).mean(), list(net.parameters()))
for p, g in zip(net.parameters(), torch.autograd.grad(net(x).pow(2).mean(), list(net.parameters())), strict=True):
    p.grad = g
optimizer.step()
new = torch.autograd.grad(net(y).pow(2).mean(), list(net.parameters()))
result = [list(old), list(new)]

import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
x = torch.randn(8, 3)
y = torch.randn(8, 3)
for batch, rate in ((x, 0.5), (y, 0.05)):
    gradients = torch.autograd.grad(net(batch).pow(2).mean(), list(net.parameters()))
    with torch.no_grad():
        for p, g in zip(net.parameters(), gradients, strict=True):
            p -= rate * g
result = [[p.detach().clone() for p in net.parameters()]]

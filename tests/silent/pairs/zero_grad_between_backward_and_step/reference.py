import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
x = torch.randn(8, 3)
y = torch.randn(8, 3)
for batch in (x, y):
    gradients = torch.autograd.grad(net(batch).pow(2).mean(), list(net.parameters()))
    with torch.no_grad():
        for p, g in zip(net.parameters(), gradients, strict=True):
            p -= 0.1 * g
result = [[p.detach().clone() for p in net.parameters()]]

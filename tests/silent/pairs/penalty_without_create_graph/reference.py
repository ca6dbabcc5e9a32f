import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
x = torch.randn(8, 3)
y = torch.randn(8, 3)


def value():
    hidden = torch.tanh(x @ net[0].weight.t() + net[0].bias)
    slope = ((1 - hidden * hidden) * net[2].weight) @ net[0].weight
    return net(x).sum() + slope.pow(2).sum()


result = [list(torch.autograd.grad(value(), list(net.parameters())))]

import torch
from torch import nn

net = nn.BatchNorm1d(4)
x = torch.randn(4, 4)
g = torch.autograd.grad(net(x).mean(), x)[0]

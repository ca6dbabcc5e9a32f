import torch
from torch import nn

w = torch.randn(4, requires_grad=True)
net = nn.Linear(4, 4)
g = torch.autograd.grad(net(torch.randn(4, 4)).sum(), w)

import torch
from torch import nn

net = nn.Conv1d(4, 4, 3, padding=1)
x = torch.randn(4, 4, requires_grad=True)
g = torch.autograd.grad(net(x), x, create_graph=True)[0]

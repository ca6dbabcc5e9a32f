import torch
from torch import nn

net = nn.PReLU()
x, w = torch.randn(4, 4), torch.randn(4, 4, requires_grad=True)
loss = net(x).mul_(w).mean()
g, h = torch.autograd.grad(loss, [net.weight, w], create_graph=True)
(h * x).sum().backward()
loss.backward()

import torch
from torch import nn

net = nn.PReLU()
x = torch.randn(4, 4)
loss = net(x).pow_(2).mean()
(g,) = torch.autograd.grad(loss, [net.weight], create_graph=True)
(g * x).sum().backward()
loss.backward()

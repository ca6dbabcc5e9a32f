import torch
import torch.nn.functional as F
from torch import nn

net = nn.PReLU()
x, y = torch.randn(4, 4), torch.randn(4, 4)
out = net(x)
out[0] = 0.0
loss = F.l1_loss(out, y)
(g,) = torch.autograd.grad(loss, [net.weight], create_graph=True)
(g * x).sum().backward()
loss.backward()

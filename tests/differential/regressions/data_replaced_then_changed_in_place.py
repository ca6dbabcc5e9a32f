import torch
from torch import nn

cell = nn.GRUCell(4, 4)
h = cell(torch.randn(4, 4))
y = nn.LeakyReLU(0.2, inplace=True)(h)
h.data = h.clone()
y *= 4
y.sum().backward()

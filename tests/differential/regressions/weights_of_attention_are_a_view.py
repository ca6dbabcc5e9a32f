import torch
from torch import nn

x = torch.randn(4, 4)
y = nn.MultiheadAttention(4, 2)(x, x, x)[1]
y.detach_()

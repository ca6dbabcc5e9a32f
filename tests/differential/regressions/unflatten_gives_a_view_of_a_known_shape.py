import torch
from torch import nn

y = nn.Unflatten(1, (2, 2))(torch.randn(4, 4))
y[1:] = y[:-1]

import torch
from torch import nn

layer = nn.LocalResponseNorm(2)
x = layer(torch.rand(1, 4, 4))[0]
x.add_(x.t())

import torch
from torch import nn

x = torch.randn(2, 4, 4).transpose(1, 2)
y = nn.Linear(4, 4)(x)
x.zero_()
y.sum().backward()
y.sum().backward()

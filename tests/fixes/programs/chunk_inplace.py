import torch
from torch import nn
lin = nn.Linear(4, 8)
a, b = lin(torch.randn(2, 4)).chunk(2, dim=-1)
a.mul_(0.5)
b.sigmoid_()
(a * b).sum().backward()
print("OK")

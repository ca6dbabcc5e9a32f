import torch
from torch import nn
torch.manual_seed(0)
w = torch.ones(3, requires_grad=True)
x = torch.arange(1.0, 4.0)
from functools import reduce
t = reduce(lambda a, b: a * b, [w, w, x])
t.sum().backward()
t.sum().backward()

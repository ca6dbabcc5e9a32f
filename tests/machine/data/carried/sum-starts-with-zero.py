import torch
from torch import nn
torch.manual_seed(0)
w = torch.ones(3, requires_grad=True)
x = torch.arange(1.0, 4.0)
s = sum([w * 2, w * 3])
s.sum().backward()
s.sum().backward()

import torch
from torch import nn
torch.manual_seed(0)
w = torch.ones(3, requires_grad=True)
x = torch.arange(1.0, 4.0)
ys = map(lambda k: w * k, [1, 2])
w.data
w.detach().add_(1)
for y in ys: y.sum().backward()

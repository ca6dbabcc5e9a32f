import torch
from torch import nn
torch.manual_seed(0)
w = torch.ones(3, requires_grad=True)
x = torch.arange(1.0, 4.0)
ys = [w.exp().sum() for _ in range(3)]
for y in ys:
    y.backward()
    break
for y in reversed(ys): y.backward()

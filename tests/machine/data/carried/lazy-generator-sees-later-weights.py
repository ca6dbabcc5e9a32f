import torch
from torch import nn
torch.manual_seed(0)
w = torch.ones(3, requires_grad=True)
x = torch.arange(1.0, 4.0)
ys = (torch.exp(w) * k for k in [1, 2])
with torch.no_grad(): w.add_(1)
for y in ys: y.sum().backward()

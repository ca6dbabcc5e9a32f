import torch
from torch import nn
torch.manual_seed(0)
w = torch.ones(3, requires_grad=True)
x = torch.arange(1.0, 4.0)
class A: hist = []
a, b = A(), A()
a.hist.append((w * w).sum())
b.hist[0].backward()
sum(A.hist).backward()

import torch
from torch import nn
torch.manual_seed(0)
w = torch.ones(3, requires_grad=True)
x = torch.arange(1.0, 4.0)
def f(*ls, **kw): return sum(ls) + kw['z']
ls = [(w * w).sum()] * 2
y = f(*ls, **{'z': ls[0]})
y.backward()
ls[0].backward()

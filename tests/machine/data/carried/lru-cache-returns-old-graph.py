import torch
from torch import nn
torch.manual_seed(0)
w = torch.ones(3, requires_grad=True)
x = torch.arange(1.0, 4.0)
from functools import lru_cache
@lru_cache
def f(k): return (w * w * k).sum()
f(1).backward()
f(2).backward()
f(1).backward()

import torch
from torch import nn
torch.manual_seed(0)
w = torch.ones(3, requires_grad=True)
x = torch.arange(1.0, 4.0)
from functools import wraps
def twice(f):
    @wraps(f)
    def g(*a, **k):
        f(*a, **k)
        return f(*a, **k)
    return g
y = (w * w).sum()
@twice
def back(t): t.backward()
back(y)

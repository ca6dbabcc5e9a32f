import torch
from torch import nn
torch.manual_seed(0)
w = torch.ones(3, requires_grad=True)
x = torch.arange(1.0, 4.0)
def g():
    t = w.exp()
    while True:
        v = yield t
        t = t * v
h = g(); next(h)
a = h.send(x); a.sum().backward()
b = h.send(x); b.sum().backward()

import torch
from torch import nn
torch.manual_seed(0)
w = torch.ones(3, requires_grad=True)
x = torch.arange(1.0, 4.0)
it = iter([(w * w).sum(), (w * w).sum()])
a = next(it); a.backward()
b = next(it); b.backward()
c = next(it, a); c.backward()

import torch
from torch import nn
torch.manual_seed(0)
w = torch.ones(3, requires_grad=True)
x = torch.arange(1.0, 4.0)
import copy
ps = [w]
qs = copy.deepcopy(ps)
y = (w * w).sum()
with torch.no_grad(): qs[0].add_(1)
y.backward()

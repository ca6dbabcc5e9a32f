import torch
from torch import nn
torch.manual_seed(0)
w = torch.ones(3, requires_grad=True)
x = torch.arange(1.0, 4.0)
y = (w * w).sum()
y.backward()
if any(k > 2 for k in [1, 2]): y.backward()
if all(k > 0 for k in [1, 2]): y.backward()

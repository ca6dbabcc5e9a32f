import torch
from torch import nn
torch.manual_seed(0)
w = torch.ones(3, requires_grad=True)
x = torch.arange(1.0, 4.0)
a = (w * 2).sum(); c = min([a, a + 5])
c.backward()
a.backward()

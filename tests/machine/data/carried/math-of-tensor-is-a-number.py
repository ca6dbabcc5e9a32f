import torch
from torch import nn
torch.manual_seed(0)
w = torch.ones(3, requires_grad=True)
x = torch.arange(1.0, 4.0)
import math
y = (w * w).sum()
z = w * math.sqrt(y)
z.sum().backward()
z = w.exp() * float(y)
z.sum().backward()
y.backward()

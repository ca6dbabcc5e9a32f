import torch
from torch import nn
torch.manual_seed(0)
w = torch.ones(3, requires_grad=True)
x = torch.arange(1.0, 4.0)
import copy
z = copy.deepcopy(w)
z.requires_grad
(z * z).sum().backward()
with torch.no_grad(): z.add_(1)

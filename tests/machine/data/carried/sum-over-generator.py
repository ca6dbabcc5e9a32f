import torch
from torch import nn
torch.manual_seed(0)
w = torch.ones(3, requires_grad=True)
x = torch.arange(1.0, 4.0)
t = sum(w[i] * x[i] for i in range(3))
t.backward()
t.backward()

import torch
from torch import nn
torch.manual_seed(0)
w = torch.ones(3, requires_grad=True)
x = torch.arange(1.0, 4.0)
ys = torch.exp(w)
for a, b in zip(ys, x):
    (a * b).backward()

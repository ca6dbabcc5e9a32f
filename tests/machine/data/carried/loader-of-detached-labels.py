import torch
from torch import nn
torch.manual_seed(0)
w = torch.ones(3, requires_grad=True)
x = torch.arange(1.0, 4.0)
from torch.utils.data import DataLoader
X = torch.randn(8, 3); Y = torch.exp(X * w).detach()
for a, b in DataLoader(list(zip(X, Y)), batch_size=4):
    (a * b * w).sum().backward()

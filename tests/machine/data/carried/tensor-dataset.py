import torch
from torch import nn
torch.manual_seed(0)
w = torch.ones(3, requires_grad=True)
x = torch.arange(1.0, 4.0)
from torch.utils.data import DataLoader, TensorDataset
X = torch.randn(6, 3); Y = torch.exp(X * w)
loader = DataLoader(TensorDataset(X, Y), batch_size=3)
for epoch in range(2):
    for a, b in loader:
        ((a - b) ** 2).mean().backward()

import torch
from torch import nn
torch.manual_seed(0)
w = torch.ones(3, requires_grad=True)
x = torch.arange(1.0, 4.0)
from torch.utils.data import DataLoader, IterableDataset
h = w.exp()
class S(IterableDataset):
    def __iter__(self):
        for k in range(4): yield h * k
for b in DataLoader(S(), batch_size=2):
    b.sum().backward()

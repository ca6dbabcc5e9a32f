import torch
from torch import nn
torch.manual_seed(0)
w = torch.ones(3, requires_grad=True)
x = torch.arange(1.0, 4.0)
from torch.utils.data import DataLoader, Dataset
class D(Dataset):
    def __init__(self): self.y = w.exp()
    def __len__(self): return 4
    def __getitem__(self, i): return x, self.y
for a, b in DataLoader(D(), batch_size=2):
    (a * b).sum().backward()

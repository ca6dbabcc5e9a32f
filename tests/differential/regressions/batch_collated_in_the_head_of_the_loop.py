import torch
from torch.utils.data import DataLoader

w = torch.ones(4, 4, requires_grad=True)
x = torch.randn(4, 4)
for _a, _b in DataLoader(list(x), batch_size=2):
    x.add_(w)

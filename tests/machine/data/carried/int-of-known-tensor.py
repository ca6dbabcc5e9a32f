import torch
from torch import nn
torch.manual_seed(0)
w = torch.ones(3, requires_grad=True)
x = torch.arange(1.0, 4.0)
n = int(torch.tensor(2))
y = (w * w).sum()
for _ in range(n): y.backward()

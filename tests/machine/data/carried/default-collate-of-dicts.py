import torch
from torch import nn
torch.manual_seed(0)
w = torch.ones(3, requires_grad=True)
x = torch.arange(1.0, 4.0)
from torch.utils.data import default_collate
y = w.exp()
b = default_collate([{"y": y[0], "n": 1}, {"y": y[1], "n": 2}])
b["y"].sum().backward()
y.sum().backward()

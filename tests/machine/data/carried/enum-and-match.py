import torch
from torch import nn
torch.manual_seed(0)
w = torch.ones(3, requires_grad=True)
x = torch.arange(1.0, 4.0)
from enum import Enum
class M(Enum):
    A = 1
    B = 2
mode = M.B
y = (w * w).sum()
y.backward()
if mode is M.A: y.backward()
if mode == M.B: y.backward()

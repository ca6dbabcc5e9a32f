import torch
from torch import nn
torch.manual_seed(0)
w = torch.ones(3, requires_grad=True)
x = torch.arange(1.0, 4.0)
ys = [(w * w).sum() for _ in range(4)]
if (m := ys[1:3]): sum(m).backward()
ys[0].backward()
ys[-2].backward()

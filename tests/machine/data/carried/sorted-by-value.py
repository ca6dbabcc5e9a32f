import torch
from torch import nn
torch.manual_seed(0)
w = torch.ones(3, requires_grad=True)
x = torch.arange(1.0, 4.0)
ys = sorted([(w * 2).sum(), (w * 1).sum()], key=lambda t: t.item())
ys[0].backward()
ys[0].backward()

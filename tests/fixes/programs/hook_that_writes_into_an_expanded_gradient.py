import torch
from torch import nn


def weaken(grad):
    grad.mul_(0.5)


torch.manual_seed(0)
a, b = nn.Linear(4, 4), nn.Linear(4, 4)
x = torch.randn(5, 4)
left, right = a(x), b(x)
right.register_hook(weaken)
(left + right).sum().backward()
print("OK" if a.bias.grad.eq(5).all() and b.bias.grad.eq(2.5).all() else "HAZARD-OBSERVED")

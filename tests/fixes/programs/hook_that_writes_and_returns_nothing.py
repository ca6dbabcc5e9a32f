import torch
from torch import nn


def triple(grad):
    grad *= 2 + 1


torch.manual_seed(0)
a, b = nn.Linear(4, 4), nn.Linear(4, 4)
x = torch.randn(5, 4)
out = a(x) + b(x)
gradient = 2 * out.detach()
left, right = a(x), b(x)
right.register_hook(triple)
(left + right).pow(2).sum().backward()
right_left = torch.allclose(a.bias.grad, gradient.sum(0), atol=1e-5)
right_right = torch.allclose(b.bias.grad, 3 * gradient.sum(0), atol=1e-5)
print("OK" if right_left and right_right else "HAZARD-OBSERVED")

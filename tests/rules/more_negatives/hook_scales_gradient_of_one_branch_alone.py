"""A hook that multiplies in place is right where the gradient goes nowhere else."""
import torch
from torch import nn

torch.manual_seed(0)
a, b = nn.Linear(4, 4), nn.Linear(4, 4)
x = torch.randn(5, 4)
for combine in (lambda p, q: p * 2 + q, lambda p, q: torch.cat([p, q], 1), lambda p, q: torch.tanh(p) + torch.sigmoid(q)):
    a.zero_grad()
    left, right = a(x), b(x)
    right.register_hook(lambda g: g.mul_(0.1))
    combine(left * 3, right * 3).pow(2).sum().backward()
    ref = torch.autograd.grad(combine(a(x) * 3, b(x) * 3).pow(2).sum(), a.weight)[0]
    assert torch.allclose(ref, a.weight.grad)
y = b(x)
y.register_hook(lambda g: g.clamp_(-1, 1))
(y * 2).sum().backward()
print("OK")

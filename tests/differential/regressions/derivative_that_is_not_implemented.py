import torch

w = torch.rand(4, 4, requires_grad=True)
x = w.exp()
y = x.clone().bernoulli(0.5)
if not y.requires_grad:
    w.add_(1.0)
try:
    (y * x).sum().backward()
except RuntimeError:
    w.grad = None
x.sum().backward()

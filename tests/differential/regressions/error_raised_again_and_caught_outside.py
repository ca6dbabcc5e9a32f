import torch

w = torch.ones(4, requires_grad=True)
y = w.exp()
y.add_(1.0)
try:
    try:
        y.sum().backward()
    except RuntimeError:
        raise
except RuntimeError:
    w.grad = None
w.add_(1.0)

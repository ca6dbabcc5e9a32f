import torch

w = torch.ones(4, requires_grad=True)
y = w.exp()
y.add_(1.0)
try:
    try:
        y.sum().backward()
    except RuntimeError:
        w.add_(1.0)
finally:
    done = True

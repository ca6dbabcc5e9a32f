import torch

w = torch.ones(4, requires_grad=True)
y = w.exp()
try:
    y.add_(1.0)
    y.sum().backward()
except RuntimeError as error:
    raise ValueError("no step") from error

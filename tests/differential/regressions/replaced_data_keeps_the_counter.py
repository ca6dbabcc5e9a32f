import torch

w = torch.rand(4).requires_grad_(True)
y = w.exp()
y.data = torch.zeros(4)
y.add_(1.0)
y.sum().backward()

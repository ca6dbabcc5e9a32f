import torch

w = torch.ones(4, 4, requires_grad=True)
g = torch.autograd.grad(0.0 * w.sum(), [w])[0]
g[None].add_(1.0)

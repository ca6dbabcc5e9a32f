import torch

w = torch.rand(4).requires_grad_(True)
g = torch.autograd.grad((w**3).sum(), w, create_graph=True)[0]
g.sum().backward()
g.sum().backward()

import torch

w = torch.rand(4, 4).requires_grad_(True)
g = torch.autograd.grad(w.max(), w, create_graph=True)[0]
g.backward()

import torch

w = torch.rand(4).requires_grad_(True)
g = torch.autograd.grad(0.0 * w.sum(), w, create_graph=True)[0]
torch.sigmoid_(g)

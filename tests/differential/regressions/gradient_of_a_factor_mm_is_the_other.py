import torch

x = torch.ones(4, 4, requires_grad=True)
t = torch.ones(4, 4, requires_grad=True)
(g,) = torch.autograd.grad((x @ t).sum(), x, create_graph=True)
torch.autograd.grad(g.sum(), t)
torch.autograd.grad(g.sum(), x)

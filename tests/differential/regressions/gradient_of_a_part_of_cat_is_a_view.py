import torch

x = torch.rand(4, 1, requires_grad=True)
t = torch.rand(4, 1, requires_grad=True)
u = torch.cat([x, t], dim=1)
g = torch.autograd.grad(u, t, grad_outputs=u, create_graph=True)[0]
g.detach_()

import torch

x = torch.rand(4, 2, requires_grad=True)
t = torch.rand(4, 2, requires_grad=True)
u = torch.cat([x, t], dim=1).exp()
g = torch.autograd.grad(u.sum(), x, create_graph=True)[0]
g += 1.0
h = torch.autograd.grad((g * g).sum(), t, allow_unused=True)
torch.autograd.grad(u.sum(), t)[0].mul_(2.0)

import torch

w = torch.randn(4, 4, requires_grad=True)
g = torch.autograd.grad(w.sum(), [w])[0]
g.tril_()
torch.nn.init.normal_(g)

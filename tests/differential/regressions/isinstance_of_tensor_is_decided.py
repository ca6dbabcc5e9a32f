import torch

w = torch.randn(4, requires_grad=True)
x = torch.rand(4)
if isinstance(x, torch.Tensor):
    w.add_(x)

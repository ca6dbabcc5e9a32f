import torch

w = torch.rand(4, 4, requires_grad=True)
x = torch.randn(2, 4, 4)
y = w @ x
x.zero_()
y.sum().backward()

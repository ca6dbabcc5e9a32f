import torch

torch.manual_seed(0)
w = torch.randn(4, requires_grad=True)
a = w + 1.0
b = torch.randn(4)
h = a * b
h.sum().backward()
b.data.mul_(2.0)
result = [w.grad.clone()]

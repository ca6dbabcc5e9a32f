import torch

torch.manual_seed(0)
w = torch.randn(3, 3, requires_grad=True)
x = torch.randn(5, 3)
h = torch.sigmoid(x @ w)
h.data.mul_(0.5)  # AGH305
h.sum().backward()
result = [w.grad.clone()]

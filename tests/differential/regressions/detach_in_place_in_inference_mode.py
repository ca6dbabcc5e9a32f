import torch

x = torch.randn(3, requires_grad=True)
h = x.exp()
first = h[0:1]
with torch.inference_mode():
    h.detach_()
    x.detach_()
    first.detach_()
h.sum().backward()
(x * first).sum().backward()

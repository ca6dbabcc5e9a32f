import torch

w = torch.rand(4, requires_grad=True)
h = w * 1.0
h.addcmul_(h.data, h)
h.sum().backward()
d = w.data
y = w * d
d.mul_(2.0)
y.sum().backward()

import torch

w = torch.randn(4, 4, requires_grad=True)
x = w.bernoulli(0.5) * w
with torch.no_grad():
    w.zero_()
x.mean().backward()

import torch

w = torch.rand(4, requires_grad=True)
loss = (w * w).sum()
try:
    w.add_(1.0)
    loss = loss * 0.0
except RuntimeError:
    pass
loss.backward()
loss.backward()

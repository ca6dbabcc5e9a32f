import torch

with torch.inference_mode():
    w = torch.randn(4, 4, requires_grad=True)
seen = w.sin() + w.square()
loss = w.abs()

import torch

w = torch.ones(4, requires_grad=True)
x = torch.randn(4, 4)
with torch.inference_mode():
    x.data = torch.zeros(4, 4)
x = x * w

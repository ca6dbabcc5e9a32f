import torch

x = torch.randn(4, 4)
with torch.inference_mode():
    y = x.clone()
y.addcdiv_(x, y)

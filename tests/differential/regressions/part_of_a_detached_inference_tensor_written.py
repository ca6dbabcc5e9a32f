import torch

with torch.inference_mode():
    y = torch.randn(4, 4) * 2
y.detach().add_(1)
y.data.add_(1)
y.detach()[0] = 1.0

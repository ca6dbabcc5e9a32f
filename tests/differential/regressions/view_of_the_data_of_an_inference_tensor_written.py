import torch

with torch.inference_mode():
    y = torch.randn(4, 4) * 2
y.detach().zero_()
y.data.view(-1).add_(1)

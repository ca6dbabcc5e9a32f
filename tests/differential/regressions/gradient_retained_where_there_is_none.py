import torch

x = torch.randn(2, 4)
y = x * 2
y.retain_grad()

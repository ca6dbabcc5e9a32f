import torch

x = torch.randn(4, 4).t() * 2.0
y = x.clone()
y.t().add_(y)

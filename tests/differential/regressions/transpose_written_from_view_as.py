import torch

x = torch.randn(4, 4)
x.T.add_(x.view_as(x))

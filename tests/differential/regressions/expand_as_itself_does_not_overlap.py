import torch

x = torch.rand(4, 4)
x.expand_as(x).add_(1.0)

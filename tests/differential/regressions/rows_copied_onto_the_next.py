import torch

x = torch.randn(4, 4)
x[:2] = x[2:]
x[1:] = x[:-1]

import torch

x = torch.tensor(torch.randn(4, 4).tolist())
x[1:] = x[:-1]

import torch

w = torch.ones(4, 4, requires_grad=True)
w.fill_diagonal_(0.0)

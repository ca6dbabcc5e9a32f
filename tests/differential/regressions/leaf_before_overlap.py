import torch

w = torch.zeros(4, 4).requires_grad_()
w += w.T

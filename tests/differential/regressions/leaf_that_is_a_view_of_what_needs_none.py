import torch

x = torch.linspace(0, 1, 4).view(-1, 1).requires_grad_()
x *= 0.5

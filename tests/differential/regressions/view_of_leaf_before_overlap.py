import torch

w = torch.zeros(4, 4).requires_grad_()
wide = w[0].expand(4, 4)
wide.relu_()

import torch

w = torch.rand(4, 4).requires_grad_(True)
first, second = w.tensor_split(2)
second.mul_(0.5)

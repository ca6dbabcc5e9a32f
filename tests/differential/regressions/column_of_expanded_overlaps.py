import torch

wide = torch.rand(4).expand(4, 4)
wide[:, 0] += 1.0

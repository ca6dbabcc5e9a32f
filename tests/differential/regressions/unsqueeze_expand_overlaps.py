import torch

x = torch.randn(4)
wide = x.unsqueeze(0).expand(4, -1)
wide.mul_(2.0)

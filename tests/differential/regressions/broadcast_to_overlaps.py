import torch

x = torch.randn(4, 4)
wide = torch.broadcast_to(x[:, 1], (4, 4))
wide += 1.0

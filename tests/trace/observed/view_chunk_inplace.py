import torch

w = torch.randn(4, 3, requires_grad=True)
a, b = (w * 2).chunk(2)
a.add_(1)  # observed: AGH303

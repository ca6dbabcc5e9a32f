import torch

w = torch.ones(4, requires_grad=True)
h = (w * 2).exp()
array = h.detach().numpy()
array *= 3  # observed: AGH305
h.sum().backward()

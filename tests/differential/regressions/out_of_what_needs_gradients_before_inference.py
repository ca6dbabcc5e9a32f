import torch

w = torch.rand(4, 4).requires_grad_(True)
with torch.inference_mode():
    x = torch.rand(4, 4)
torch.mul(w, x, out=x)

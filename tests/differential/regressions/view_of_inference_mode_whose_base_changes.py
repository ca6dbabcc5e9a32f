import torch
import torch.nn.functional as F

w = torch.ones(4, 4, requires_grad=True)
with torch.inference_mode():
    _, half = torch.split(w, [2, 2])
with torch.no_grad():
    w.sin_()
out = F.silu(half)

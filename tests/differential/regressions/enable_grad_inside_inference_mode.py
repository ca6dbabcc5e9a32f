import torch

w = torch.rand(4, 4).requires_grad_(True)
with torch.inference_mode(), torch.set_grad_enabled(True):
    g = torch.autograd.grad(w.sum(), [w], retain_graph=True, allow_unused=True)[0]

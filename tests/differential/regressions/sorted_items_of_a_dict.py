import torch

w = torch.rand(4, 4).requires_grad_(True)
losses = {}
losses["value"] = w * 2.0
losses["actor"] = torch.zeros(())
for _, term in sorted(losses.items()):
    term.backward()

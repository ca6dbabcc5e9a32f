import numpy as np
import torch
from torch import nn


class Recorder:
    def __init__(self, model, kind):
        self.maps = {}
        self.handles = [m.register_forward_hook(self.hook(name)) for name, m in model.named_modules() if isinstance(m, kind)]

    def hook(self, name):
        def fn(module, inputs, output):
            _, weights = output
            self.maps.setdefault(name, []).append(weights.mean(0).numpy())
        return fn

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        for h in self.handles:
            h.remove()

    def summary(self):
        return {k: np.stack(v).mean(axis=0) for k, v in self.maps.items()}


class Block(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.attn = nn.MultiheadAttention(dim, 2, batch_first=True)
        self.norm = nn.LayerNorm(dim)

    def forward(self, x):
        out, _ = self.attn(x, x, x)
        return self.norm(x + out)


torch.manual_seed(0)
model = nn.Sequential(Block(8), Block(8))
optimizer = torch.optim.AdamW(model.parameters())
with Recorder(model, nn.MultiheadAttention) as recorder:
    for _ in range(2):
        loss = model(torch.randn(3, 5, 8)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
print({k: v.shape for k, v in recorder.summary().items()})

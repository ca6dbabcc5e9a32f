import math

import torch
import torch.nn as nn


class SelfAttention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.q, self.k, self.v = (nn.Linear(dim, dim) for _ in range(3))
        self.out = nn.Linear(dim, dim)

    def split(self, x):
        b, n, d = x.shape
        return x.view(b, n, self.heads, d // self.heads).transpose(1, 2)

    def forward(self, x, mask):
        q, k, v = self.split(self.q(x)), self.split(self.k(x)), self.split(self.v(x))
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
        weights = torch.softmax(scores, dim=-1)
        weights[mask.expand_as(weights)] = 0.0
        out = (weights @ v).transpose(1, 2).flatten(2)
        return self.out(out)


class Encoder(nn.Module):
    def __init__(self, depth=2, dim=8, heads=2):
        super().__init__()
        self.layers = nn.ModuleList(SelfAttention(dim, heads) for _ in range(depth))
        self.norms = nn.ModuleList(nn.LayerNorm(dim) for _ in range(depth))

    def forward(self, x, mask):
        for layer, norm in zip(self.layers, self.norms):
            x = norm(x + layer(x, mask))
        return x.mean(1)


torch.manual_seed(0)
net = Encoder()
x = torch.randn(2, 5, 8)
lengths = torch.tensor([5, 3])
mask = (torch.arange(5)[None] >= lengths[:, None])[:, None, None]
net(x, mask).pow(2).mean().backward()

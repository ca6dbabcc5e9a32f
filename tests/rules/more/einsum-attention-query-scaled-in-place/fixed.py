from types import MappingProxyType

import torch
from torch import nn

DEFAULTS = MappingProxyType({"heads": 2, "dim": 8, "slots": 3})


class SlotAttention(nn.Module):
    def __init__(self, heads, dim, slots):
        super().__init__()
        self.heads = heads
        self.slots = nn.Parameter(torch.randn(slots, dim))
        self.q, self.k, self.v = (nn.Linear(dim, dim) for _ in range(3))

    def forward(self, x):
        q = self.q(self.slots).view(-1, self.heads, x.shape[-1] // self.heads)
        k, v = (f(x).unflatten(-1, (self.heads, -1)) for f in (self.k, self.v))
        scores = torch.einsum("shd,bnhd->bhsn", q, k)
        scores = scores * k.shape[-1] ** -0.5
        bias = q.norm(dim=-1).t()[None, :, :, None]
        attn = (scores + bias).softmax(dim=2)
        return torch.einsum("bhsn,bnhd->bshd", attn, v).flatten(2)


torch.manual_seed(0)
layer = SlotAttention(**DEFAULTS)
out = layer(torch.randn(2, 5, DEFAULTS["dim"]))
out.square().mean().backward()

import math

import torch
from torch import nn, einsum


def rotate_half(x):
    a, b = x.unflatten(-1, (-1, 2)).unbind(dim=-1)
    return torch.stack((-b, a), dim=-1).flatten(-2)


class Rotary(nn.Module):
    def __init__(self, dim, theta=10000, learned=True):
        super().__init__()
        self.freqs = nn.Parameter(theta ** -(torch.arange(0, dim, 2) / dim), requires_grad=learned)
        self.cached = None

    def angles(self, length):
        freqs = einsum("i,j->ij", torch.arange(length).float(), self.freqs)
        freqs = freqs.repeat_interleave(2, dim=-1)
        return freqs

    def forward(self, x):
        freqs = self.angles(x.shape[-2])
        return x * freqs.cos() + rotate_half(x) * freqs.sin()


class Attention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.to_qkv = nn.Linear(dim, dim * 3, bias=False)
        self.rotary = Rotary(dim // heads)

    def forward(self, x):
        q, k, v = (t.unflatten(-1, (self.heads, -1)).transpose(1, 2) for t in self.to_qkv(x).chunk(3, dim=-1))
        q, k = map(self.rotary, (q, k))
        sim = einsum("b h i d, b h j d -> b h i j", q, k) / math.sqrt(q.shape[-1])
        return einsum("b h i j, b h j d -> b h i d", sim.softmax(dim=-1), v).transpose(1, 2).flatten(2)


torch.manual_seed(3)
net = Attention(16, heads=2)
opt = torch.optim.AdamW(net.parameters(), lr=3e-4)
for step in range(3):
    x = torch.randn(2, 7, 16)
    loss = (net(x) - x).pow(2).mean()
    opt.zero_grad(set_to_none=True)
    loss.backward()
    opt.step()
    print(f"{step}: {loss:.3f}")

import math
from dataclasses import dataclass
from typing import Optional, Tuple

import torch
import torch.nn as nn


@dataclass
class GPTConfig:
    vocab: int = 20
    dim: int = 16
    heads: int = 2
    layers: int = 2
    memory: int = 6


class CachedAttention(nn.Module):
    def __init__(self, cfg: GPTConfig):
        super().__init__()
        self.cfg = cfg
        self.qkv = nn.Linear(cfg.dim, 3 * cfg.dim)
        self.proj = nn.Linear(cfg.dim, cfg.dim)
        self.past: Optional[Tuple[torch.Tensor, torch.Tensor]] = None

    def split(self, t):
        b, n, d = t.shape
        return t.reshape(b, n, self.cfg.heads, d // self.cfg.heads).transpose(1, 2)

    def forward(self, x):
        q, k, v = map(self.split, self.qkv(x).split(self.cfg.dim, dim=-1))
        if self.past is not None:
            k = torch.cat([self.past[0], k], dim=2)
            v = torch.cat([self.past[1], v], dim=2)
        keep = self.cfg.memory
        self.past = k[:, :, -keep:].detach(), v[:, :, -keep:].detach()
        att = (q @ k.transpose(-2, -1)) / math.sqrt(q.size(-1))
        y = att.softmax(-1) @ v
        return self.proj(y.transpose(1, 2).flatten(2))


class GPT(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.wte = nn.Embedding(cfg.vocab, cfg.dim)
        self.h = nn.ModuleList([nn.ModuleDict(dict(ln=nn.LayerNorm(cfg.dim), attn=CachedAttention(cfg))) for _ in range(cfg.layers)])
        self.head = nn.Linear(cfg.dim, cfg.vocab, bias=False)

    def forward(self, idx, targets=None):
        x = self.wte(idx)
        for block in self.h:
            x = x + block["attn"](block["ln"](x))
        logits = self.head(x)
        if targets is None:
            return logits, None
        return logits, nn.functional.cross_entropy(logits.flatten(0, 1), targets.flatten())


torch.manual_seed(0)
cfg = GPTConfig()
model = GPT(cfg)
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4, weight_decay=0.1)
text = torch.randint(cfg.vocab, (2, 25))
for start in range(0, 24, 8):
    _, loss = model(text[:, start:start + 8], text[:, start + 1:start + 9])
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    optimizer.step()

import math

import torch
from torch import nn
import torch.nn.functional as F


class LoRALinear(nn.Module):
    def __init__(self, base: nn.Linear, rank=2, alpha=4):
        super().__init__()
        self.base = base.requires_grad_(False)
        self.A = nn.Parameter(torch.empty(rank, base.in_features))
        self.B = nn.Parameter(torch.zeros(base.out_features, rank))
        nn.init.kaiming_uniform_(self.A, a=math.sqrt(5))
        self.scaling = alpha / rank

    @property
    def delta(self):
        return (self.B @ self.A) * self.scaling

    def forward(self, x):
        with torch.no_grad():
            weight = self.base.weight.view_as(self.base.weight)
        weight += self.delta
        return F.linear(x, weight, self.base.bias)


def inject(module, rank):
    for name, child in module.named_children():
        if isinstance(child, nn.Linear):
            setattr(module, name, LoRALinear(child, rank))
        else:
            inject(child, rank)
    return module


torch.manual_seed(0)
model = inject(nn.Sequential(nn.Linear(6, 8), nn.Sequential(nn.ReLU(), nn.Linear(8, 3))), rank=2)
trainable = [p for p in model.parameters() if p.requires_grad]
optimizer = torch.optim.AdamW(trainable, lr=1e-2)
for _ in range(2):
    loss = F.cross_entropy(model(torch.randn(4, 6)), torch.randint(3, (4,)))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

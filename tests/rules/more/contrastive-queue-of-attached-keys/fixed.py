import copy
from collections import deque

import torch
import torch.nn.functional as F
from torch import nn


class MoCo(nn.Module):
    def __init__(self, encoder, size=2, t=0.2):
        super().__init__()
        self.q = encoder
        self.k = copy.deepcopy(encoder)
        self.queue = deque(maxlen=size)
        self.t = t

    @torch.no_grad()
    def momentum_update(self, m=0.9):
        for a, b in zip(self.q.parameters(), self.k.parameters()):
            b.data.mul_(m).add_(a.data, alpha=1 - m)

    def forward(self, x1, x2):
        q = F.normalize(self.q(x1), dim=1)
        with torch.no_grad():
            k = F.normalize(self.k(x2), dim=1)
        positive = (q * k).sum(1, keepdim=True)
        logits = positive
        if self.queue:
            logits = torch.cat([positive, q @ torch.cat(tuple(self.queue)).t()], dim=1)
        self.queue.append(k)
        self.momentum_update()
        return F.cross_entropy(logits / self.t, torch.zeros(len(q), dtype=torch.long))


torch.manual_seed(0)
moco = MoCo(nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 4)))
optimizer = torch.optim.SGD(moco.q.parameters(), lr=0.1, momentum=0.9)
for epoch in range(3):
    x = torch.randn(5, 6)
    loss = moco(x + 0.1 * torch.randn_like(x), x + 0.1 * torch.randn_like(x))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

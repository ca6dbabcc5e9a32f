from collections import deque

import torch
import torch.nn as nn
import torch.nn.functional as F


class Contrast(nn.Module):
    def __init__(self, encoder, capacity=3, temperature=0.1):
        super().__init__()
        self.encoder = encoder
        self.queue = deque(maxlen=capacity)
        self.t = temperature

    def forward(self, a, b):
        q, k = F.normalize(self.encoder(a), dim=1), F.normalize(self.encoder(b), dim=1)
        logits = [(q * k).sum(1, keepdim=True)]
        if self.queue:
            logits.append(q @ torch.cat(list(self.queue)).t())
        self.queue.append(k.detach())
        logits = torch.cat(logits, 1) / self.t
        return F.cross_entropy(logits, torch.zeros(len(q), dtype=torch.long))


torch.manual_seed(0)
model = Contrast(nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 4)))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for _ in range(4):
    x = torch.randn(5, 6)
    loss = model(x, x + 0.1 * torch.randn_like(x))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

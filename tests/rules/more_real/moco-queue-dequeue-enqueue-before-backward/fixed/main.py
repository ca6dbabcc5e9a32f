import torch
from torch import nn

from moco import MoCo

torch.manual_seed(0)
model = MoCo(nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 4)))
optimizer = torch.optim.SGD([p for p in model.parameters() if p.requires_grad], lr=0.05)
for _ in range(2):
    x = torch.randn(4, 6)
    logits = model(x + 0.1, x)
    loss = nn.functional.cross_entropy(logits, torch.zeros(4, dtype=torch.long))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

import torch
from torch import nn

from guard import Guard

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 1))
guard = Guard(model, limit=0.5)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(3):
    loss = (model(torch.randn(6, 3)) - 3.0).pow(2).mean()
    ok = guard.check(loss)
    if not ok:
        continue
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

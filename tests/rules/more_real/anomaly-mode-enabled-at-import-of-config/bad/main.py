import torch
from torch import nn

import config

torch.manual_seed(0)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(2):
    optimizer.zero_grad()
    model(torch.randn(config.BATCH, 4)).pow(2).mean().backward()
    optimizer.step()
print("HAZARD-OBSERVED" if torch.is_anomaly_enabled() else "OK")

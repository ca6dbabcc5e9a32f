import numpy as np
import torch
from torch import nn


def smooth(values, k=3):
    values = np.asarray(values, dtype=np.float32)
    return np.convolve(values, np.ones(k) / k, mode="valid")


torch.manual_seed(0)
model = nn.Linear(3, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
history = {"train": [], "valid": []}
for epoch in range(4):
    loss = model(torch.randn(8, 3)).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    history["train"].append(loss.item())
    with torch.no_grad():
        history["valid"].append(model(torch.randn(8, 3)).pow(2).mean())
for name, values in history.items():
    print(name, smooth(values))

import numpy as np
import torch
import torch.nn as nn


def dice(prediction, target):
    p, t = prediction, target
    return 1 - 2 * (p * t).sum() / (p.sum() + t.sum() + 1e-6)


torch.manual_seed(0)
net = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 6), nn.Sigmoid())
optimizer = torch.optim.Adam(net.parameters(), lr=1e-2)
start = net[0].weight.detach().clone()
for _ in range(3):
    x, y = torch.randn(4, 6), (torch.rand(4, 6) > 0.5).float()
    loss = dice(net(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print("HAZARD-OBSERVED" if torch.equal(start, net[0].weight.detach()) else "OK")

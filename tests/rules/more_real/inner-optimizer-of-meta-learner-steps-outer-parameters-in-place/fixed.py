import copy

import torch
import torch.nn as nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(2, 12), nn.Tanh(), nn.Linear(12, 1))
outer = torch.optim.Adam(model.parameters(), lr=1e-3)


def inner_fit(net, x, y, steps=2, lr=0.05):
    inner = torch.optim.SGD(net.parameters(), lr=lr)
    for _ in range(steps):
        inner.zero_grad()
        nn.functional.mse_loss(net(x), y).backward()
        inner.step()
    return net


for _ in range(2):
    losses = []
    for task in range(2):
        x, y = torch.randn(6, 2), torch.randn(6, 1)
        losses.append(nn.functional.mse_loss(model(x), y))
        inner_fit(copy.deepcopy(model), x, y)
    outer.zero_grad()
    torch.stack(losses).sum().backward()
    outer.step()

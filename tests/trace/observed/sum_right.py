import torch
from torch import nn

torch.manual_seed(0)
m = nn.Linear(2, 3)
o = torch.optim.SGD(m.parameters(), 0.1)


def loss_of(x):
    t = 0
    for i in range(4):
        t = t + m(x[i : i + 1]).pow(2).mean()
    return t


for k in range(3):
    l = loss_of(torch.randn(4, 2))
    o.zero_grad()
    l.backward()
    o.step()
    run = 0.0
    for j in range(4):
        run += m(torch.randn(1, 2)).mean().item()
    with torch.no_grad():
        v = 0
        for j in range(4):
            v += m(torch.randn(1, 2)).mean()
    print(l.item().hex(), run, v)
    tot = 0
    for j in range(4):
        tot += m(torch.randn(2, 2)).abs().mean()
    o.zero_grad()
    tot.backward()
    o.step()

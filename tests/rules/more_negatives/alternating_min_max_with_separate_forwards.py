import torch
from torch import nn

torch.manual_seed(0)
f, g = nn.Linear(3, 1), nn.Linear(3, 1)
of, og = torch.optim.Adam(f.parameters()), torch.optim.Adam(g.parameters())


def game(x):
    return (f(x) * g(x)).mean() - 0.5 * g(x).pow(2).mean()


for _ in range(3):
    x = torch.randn(8, 3)
    of.zero_grad()
    game(x).backward()
    of.step()
    og.zero_grad()
    (-game(x)).backward()
    og.step()
print("OK")

"""Generators over parameters that are made for each walk, or walked once by zip and then dropped."""
import torch
from torch import nn


def trainable(net):
    return (p for p in net.parameters() if p.requires_grad)


torch.manual_seed(0)
net, target = nn.Linear(3, 2), nn.Linear(3, 2)
opt = torch.optim.SGD(trainable(net), lr=0.1)
for _ in range(3):
    opt.zero_grad()
    copies = (p.detach().clone() for p in target.parameters())
    prox = sum((p - q).square().sum() for p, q in zip(trainable(net), copies))
    (net(torch.randn(4, 3)).square().mean() + prox).backward()
    norm = nn.utils.clip_grad_norm_(trainable(net), 1.0)
    first = next(p.detach() for p in net.parameters())
    assert norm > 0 and first.shape == (2, 3)
    opt.step()
    with torch.no_grad():
        for p, q in zip(trainable(net), target.parameters()):
            q.lerp_(p, 0.1)
print("OK")

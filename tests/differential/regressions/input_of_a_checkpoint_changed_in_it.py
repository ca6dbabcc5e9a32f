import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

net = nn.Linear(4, 4)


def change(t):
    t.add_(1.0)
    return net(t)


y = checkpoint(change, torch.randn(4, 4), use_reentrant=False)
y.mean().backward()

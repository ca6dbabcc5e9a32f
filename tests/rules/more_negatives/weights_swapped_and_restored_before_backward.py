"""A context swaps averaged weights in and the old ones back by rebinding .data: the graph keeps what it saved."""
import contextlib

import torch
from torch import nn


@contextlib.contextmanager
def averaged(net, shadow):
    kept = {n: p.data for n, p in net.named_parameters()}
    for n, p in net.named_parameters():
        p.data = shadow[n]
    try:
        yield net
    finally:
        for n, p in net.named_parameters():
            p.data = kept[n]


torch.manual_seed(0)
net = nn.Sequential(nn.Linear(3, 6), nn.Tanh(), nn.Linear(6, 1))
shadow = {n: p.detach().clone() * 0.5 for n, p in net.named_parameters()}
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(2):
    x = torch.randn(8, 3)
    loss = net(x).square().mean()
    ref = torch.autograd.grad(net(x).square().mean(), net[0].weight)[0]
    with averaged(net, shadow) as other, torch.no_grad():
        other(x)
    opt.zero_grad()
    loss.backward()
    assert torch.allclose(ref, net[0].weight.grad)
    opt.step()
print("OK")

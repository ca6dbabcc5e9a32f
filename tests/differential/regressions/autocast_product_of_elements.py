import torch
import torch.nn.functional as F
from torch import nn

net = nn.Linear(4, 4)


def fwd(x):
    return x * net.weight


x = torch.randn(4, 4, requires_grad=False).clone()
with torch.autocast("cpu", dtype=torch.bfloat16):
    out = fwd(x)
    loss = F.cross_entropy(out, torch.arange(4))
with torch.no_grad():
    for p in net.parameters():
        p.mul_(0.5)
loss.backward()

import torch
from torch import nn

net = nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4), nn.Linear(4, 4))
fwd = net
x = torch.randn(4, 4, requires_grad=False).clone()
with torch.autocast("cpu", dtype=torch.bfloat16):
    out = fwd(x)
    loss = out.pow(2).sum()
out.mul_(2.0)
loss.backward()

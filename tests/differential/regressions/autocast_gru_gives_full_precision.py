import torch
import torch.nn.functional as F
from torch import nn

net = nn.GRU(4, 4)


def fwd(x):
    return net(x)[0]


x = torch.randn(4, 4, requires_grad=False).clone()
with torch.autocast("cpu", dtype=torch.bfloat16):
    out = fwd(x)
    loss = F.mse_loss(out, torch.zeros(4, 4))
out.mul_(2.0)
loss.backward()

import torch
import torch.nn.functional as F
from torch import nn

net = nn.Linear(4, 4)
fwd = net
x = torch.randn(4, 4, requires_grad=False).clone()
with torch.autocast("cpu", dtype=torch.bfloat16):
    out = fwd(x)
    loss = F.mse_loss(out, torch.zeros(4, 4))
out.mul_(2.0)
loss.backward()

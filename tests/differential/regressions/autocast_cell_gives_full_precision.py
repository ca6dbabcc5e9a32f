import torch
import torch.nn.functional as F
from torch import nn

net = nn.GRUCell(4, 4)
fwd = net

x = torch.randn(4, 4, requires_grad=False).clone()
with torch.autocast("cpu", dtype=torch.bfloat16):
    out = fwd(x)
    loss = F.binary_cross_entropy_with_logits(out, torch.ones(4, 4))
out.mul_(2.0)
loss.backward()

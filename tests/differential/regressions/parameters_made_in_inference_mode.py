import torch
from torch import nn

with torch.inference_mode():
    net = nn.Linear(4, 4)
net(torch.randn(4, 4)).sum().backward()
with torch.no_grad():
    next(net.parameters()).mul_(0.5)

import torch
from torch import nn

net = nn.Conv1d(4, 4, 3, padding=1)
y = net(torch.randn(4, 4))
y.detach_()

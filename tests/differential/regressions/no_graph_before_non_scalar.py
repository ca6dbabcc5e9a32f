import torch
from torch import nn

net = nn.Linear(4, 4)
net.requires_grad_(False)
net(torch.randn(4, 4)).backward()

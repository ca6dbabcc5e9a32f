import torch
from torch import nn

net = nn.Sequential(nn.Linear(4, 4), nn.ReLU(inplace=True), nn.Linear(4, 4))
net[0].register_full_backward_hook(lambda module, before, after: None)
out = net(torch.randn(4, 4))

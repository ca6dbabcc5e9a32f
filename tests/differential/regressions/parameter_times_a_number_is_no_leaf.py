import torch
from torch import nn

image = nn.Parameter(torch.randn(4, 4)) * 1.0
torch.optim.SGD([image], lr=0.1)

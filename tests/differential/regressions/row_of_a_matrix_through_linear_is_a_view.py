import torch
from torch import nn

y = nn.Linear(4, 4)(torch.randn(4))
y.detach_()

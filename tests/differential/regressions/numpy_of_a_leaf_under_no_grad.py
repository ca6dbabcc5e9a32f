import torch
from torch import nn

w = nn.Parameter(torch.randn(4, 4))
with torch.no_grad():
    n = w.numpy()

import torch
from torch import nn

rnn = nn.GRU(4, 4)
x = torch.randn(4, 4)
y, _ = rnn(x, torch.zeros(1, 4))
try:
    x[..., 1] += 1.0
    y.mean().backward()
except RuntimeError:
    pass
y.sum().backward()

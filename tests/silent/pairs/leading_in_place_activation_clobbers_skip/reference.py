import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(6, 3)
block = nn.Linear(3, 3)
stem = nn.Linear(3, 3)
h = x @ stem.weight.t() + stem.bias
out = h + block(h * (h > 0))
result = [[torch.autograd.grad(out.pow(2).sum(), stem.weight)[0]]]

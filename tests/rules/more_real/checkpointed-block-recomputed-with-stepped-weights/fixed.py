import torch
import torch.nn as nn
from torch.utils.checkpoint import checkpoint

torch.manual_seed(0)
block = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1))
optimizer = torch.optim.SGD(block.parameters(), lr=1.0)
x, y = torch.randn(6, 3), torch.randn(6, 3)
wanted = torch.autograd.grad(block(y).pow(2).mean(), block[0].weight)[0]
first = block(x).pow(2).mean()
second = checkpoint(block, y, use_reentrant=False).pow(2).mean()
optimizer.zero_grad()
first.backward()
optimizer.zero_grad()
second.backward()
print("OK" if torch.allclose(wanted, block[0].weight.grad, atol=1e-6) else "HAZARD-OBSERVED")

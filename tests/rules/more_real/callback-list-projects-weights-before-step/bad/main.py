import torch
from torch import nn
from callbacks import Callback, UnitNorm, Logger
from loop import Loop

torch.manual_seed(0)
net = nn.Linear(3, 2, bias=False)
loop = Loop(net, torch.optim.SGD(net.parameters(), lr=0.5), callbacks=[Logger(), UnitNorm()])
loop.run([(torch.randn(4, 3), torch.randn(4, 2)) for _ in range(2)])
norms = net.weight.detach().norm(dim=1)
print('OK' if torch.allclose(norms, torch.ones(2), atol=1e-4) else 'HAZARD-OBSERVED')

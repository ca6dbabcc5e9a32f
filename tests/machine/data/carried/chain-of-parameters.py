import torch
from torch import nn
torch.manual_seed(0)
w = torch.ones(3, requires_grad=True)
x = torch.arange(1.0, 4.0)
from itertools import chain
a, b = nn.Linear(3, 3), nn.Linear(3, 1)
opt = torch.optim.SGD(chain(a.parameters(), b.parameters()), lr=0.1)
loss = b(torch.relu(a(x))).sum()
loss2 = b(torch.relu(a(x))).sum()
loss.backward()
opt.step()
loss2.backward()

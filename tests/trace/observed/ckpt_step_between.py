import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

torch.manual_seed(0)
f = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 4))
a = nn.Linear(4, 1)
b = nn.Linear(4, 1)
opt = torch.optim.SGD([*f.parameters(), *a.parameters(), *b.parameters()], 0.1)
for i in range(2):
    x = torch.randn(6, 4, requires_grad=True)
    la = a(checkpoint(f, x, use_reentrant=False)).mean()
    lb = b(checkpoint(f, x * 2, use_reentrant=False)).pow(2).mean()
    opt.zero_grad()
    la.backward()
    opt.step()  # observed: AGH206
    opt.zero_grad()
    lb.backward()
    opt.step()
    print(la.item().hex(), lb.item().hex())

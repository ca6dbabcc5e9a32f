import torch
from torch import nn

torch.manual_seed(0)
b = nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4), nn.ReLU())
h = nn.Linear(4, 1)
for p in b.parameters():
    p.requires_grad_(False)
o = torch.optim.SGD(h.parameters(), 0.1)
for i in range(3):
    b.eval()
    l = h(b(torch.randn(3, 4))).pow(2).mean()
    o.zero_grad()
    l.backward()
    o.step()
    print(l.item().hex())
for p in b.parameters():
    p.requires_grad_(True)
o.add_param_group({"params": b.parameters(), "lr": 0.01})
for i in range(3):
    b.train()
    l = h(b(torch.randn(3, 4))).pow(2).mean()
    o.zero_grad()
    l.backward()
    o.step()
    print(l.item().hex())

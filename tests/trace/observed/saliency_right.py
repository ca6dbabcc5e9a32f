import torch
from torch import nn

torch.manual_seed(0)
m = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 1))
head = nn.Linear(4, 1)
o = torch.optim.SGD(head.parameters(), 0.1)
for i in range(3):
    x = torch.randn(2, 4, requires_grad=True)
    m(x).sum().backward()
    s = x.grad.abs()
    l = head(s).pow(2).mean()
    o.zero_grad()
    l.backward()
    o.step()
    print(l.item().hex())

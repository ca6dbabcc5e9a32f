import torch
from torch import nn

torch.manual_seed(0)
m = nn.Linear(3, 1)
o = torch.optim.SGD(m.parameters(), 0.05)
for i in range(3):
    l = m(torch.randn(4, 3)).pow(2).mean()
    o.zero_grad()
    l.backward()
    with torch.no_grad():
        for p in m.parameters():
            p.mul_(0.99)
        for p in m.parameters():
            p.grad.clamp_(-1, 1)
    o.step()
    print(l.item().hex())

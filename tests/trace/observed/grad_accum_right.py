import torch
from torch import nn

torch.manual_seed(0)
m = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 1))
o = torch.optim.SGD(m.parameters(), 0.01, momentum=0.9)
for i in range(8):
    l = m(torch.randn(2, 8)).pow(2).mean() / 4
    l.backward()
    if (i + 1) % 4 == 0:
        o.step()
        o.zero_grad()
    print(l.item().hex())

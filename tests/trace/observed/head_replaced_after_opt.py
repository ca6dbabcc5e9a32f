import torch
from torch import nn

torch.manual_seed(0)
m = nn.Sequential(nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 3))
o = torch.optim.SGD(m.parameters(), 0.1)
m[2] = nn.Linear(4, 1)  # observed: AGH603
for i in range(3):
    l = m(torch.randn(3, 4)).pow(2).mean()
    o.zero_grad()
    l.backward()
    o.step()
    print(l.item().hex())

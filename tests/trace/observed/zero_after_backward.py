import torch
from torch import nn

torch.manual_seed(0)
m = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 1))
o = torch.optim.SGD(m.parameters(), 0.01)
for i in range(4):
    l = m(torch.randn(2, 8)).pow(2).mean()
    l.backward()
    o.zero_grad()  # observed: AGH202
    o.step()
    print(l.item().hex())

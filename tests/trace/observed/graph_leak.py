import torch
from torch import nn

torch.manual_seed(0)
m = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 1))
o = torch.optim.SGD(m.parameters(), 0.01)
total = 0
hist = []
for i in range(20):
    l = m(torch.randn(2, 8)).pow(2).mean()
    o.zero_grad()
    l.backward()
    o.step()
    total += l  # observed: AGH104
print(total)

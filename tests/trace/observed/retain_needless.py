import torch
from torch import nn

torch.manual_seed(0)
m = nn.Sequential(nn.Linear(3, 3), nn.Tanh(), nn.Linear(3, 2))
o = torch.optim.SGD(m.parameters(), 0.1)
for i in range(3):
    y = m(torch.randn(4, 3))
    o.zero_grad()
    y.mean().backward(retain_graph=True)  # observed: AGH102
    o.step()

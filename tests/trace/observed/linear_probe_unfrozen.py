import torch
from torch import nn

torch.manual_seed(0)
b = nn.Sequential(nn.Linear(4, 4), nn.ReLU())
h = nn.Linear(4, 1)
net = nn.Sequential(b, h)
o = torch.optim.SGD(h.parameters(), 0.1)  # observed: AGH603
for i in range(3):
    l = net(torch.randn(2, 4)).pow(2).mean()
    o.zero_grad()
    l.backward()
    o.step()
    print(l.item().hex())

import torch
from torch import nn

net = nn.Sequential(nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 4))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
first = net(torch.randn(4, 4)).mean()
second = net(torch.randn(4, 4)).mean()
first.backward()
opt.step()
second.backward()

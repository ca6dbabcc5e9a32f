import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
x = torch.randn(8, 3)
y = torch.randn(8, 3)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
optimizer.zero_grad()
net(x).pow(2).sum().backward()
optimizer.step()
nn.utils.clip_grad_norm_(net.parameters(), 0.1)  # AGH204
result = [p.detach().clone() for p in net.parameters()]

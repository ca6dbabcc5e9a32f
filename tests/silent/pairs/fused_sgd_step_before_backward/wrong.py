import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
x = torch.randn(8, 3)
y = torch.randn(8, 3)
optimizer = torch.optim.SGD(net.parameters(), lr=0.5, fused=True)
first = net(x).pow(2).mean()
second = net(y).pow(2).mean()
first.backward()
optimizer.step()  # AGH206
optimizer.zero_grad()
second.backward()
result = [p.grad.clone() for p in net.parameters()]

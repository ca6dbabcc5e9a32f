import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
x = torch.randn(8, 3)
y = torch.randn(8, 3)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
prediction = net(x).detach()
loss = prediction.pow(2).mean().requires_grad_(True)  # AGH406
optimizer.zero_grad()
loss.backward()
optimizer.step()
result = [p.detach().clone() for p in net.parameters()]

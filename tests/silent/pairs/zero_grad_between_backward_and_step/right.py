import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
x = torch.randn(8, 3)
y = torch.randn(8, 3)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for batch in (x, y):
    loss = net(batch).pow(2).mean()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
result = [p.detach().clone() for p in net.parameters()]

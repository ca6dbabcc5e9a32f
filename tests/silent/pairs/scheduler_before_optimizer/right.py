import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
x = torch.randn(8, 3)
y = torch.randn(8, 3)
optimizer = torch.optim.SGD(net.parameters(), lr=0.5)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=1, gamma=0.1)
for batch in (x, y):
    optimizer.zero_grad()
    net(batch).pow(2).mean().backward()
    optimizer.step()
    scheduler.step()
result = [p.detach().clone() for p in net.parameters()]

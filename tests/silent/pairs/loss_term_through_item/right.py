import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
x = torch.randn(8, 3)
y = torch.randn(8, 3)
penalty = net[0].weight.pow(2).sum()
loss = net(x).pow(2).mean() + 0.1 * penalty
loss.backward()
result = [p.grad.clone() for p in net.parameters()]

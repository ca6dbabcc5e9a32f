import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
x = torch.randn(8, 3)
y = torch.randn(8, 3)
x.requires_grad_(True)
score = net(x).sum()
slope = torch.autograd.grad(score, x, create_graph=True)[0]
loss = score + slope.pow(2).sum()
loss.backward()
result = [p.grad.clone() for p in net.parameters()]

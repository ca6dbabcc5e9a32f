import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
x = torch.randn(8, 3)
y = torch.randn(8, 3)
log_std = net(x)
log_std = log_std.clamp(-0.1, 0.1)
log_std.exp().sum().backward()
result = [p.grad.clone() for p in net.parameters()]

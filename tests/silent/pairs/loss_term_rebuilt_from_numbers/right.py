import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
x = torch.randn(8, 3)
y = torch.randn(8, 3)
main = net(x).pow(2).mean()
terms = [net(y).abs().mean(), net(y + 1).mean()]
loss = main + torch.stack(terms).sum()
loss.backward()
result = [p.grad.clone() for p in net.parameters()]

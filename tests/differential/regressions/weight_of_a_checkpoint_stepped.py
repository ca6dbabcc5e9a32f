import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

net = nn.Sequential(nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 4))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
y = checkpoint(net, torch.randn(4, 4), use_reentrant=False)
y.mean().backward(retain_graph=True)
opt.step()
y.mean().backward()

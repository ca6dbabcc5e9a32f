import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
x = torch.randn(8, 3)
y = torch.randn(8, 3)
gradients = torch.autograd.grad(net(x).pow(2).sum(), list(net.parameters()))
result = [[(p.detach() - 0.5 * g).clamp(-0.05, 0.05) for p, g in zip(net.parameters(), gradients, strict=True)]]

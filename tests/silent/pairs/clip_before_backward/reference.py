import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
x = torch.randn(8, 3)
y = torch.randn(8, 3)
gradients = torch.autograd.grad(net(x).pow(2).sum(), list(net.parameters()))
norm = torch.cat([g.flatten() for g in gradients]).norm()
scale = (0.1 / (norm + 1e-6)).clamp(max=1.0)
result = [[p.detach() - 0.1 * scale * g for p, g in zip(net.parameters(), gradients, strict=True)]]

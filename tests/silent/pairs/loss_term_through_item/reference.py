import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
x = torch.randn(8, 3)
y = torch.randn(8, 3)
gradients = list(torch.autograd.grad(net(x).pow(2).mean(), list(net.parameters())))
gradients[0] = gradients[0] + 0.2 * net[0].weight.detach()
result = [gradients]

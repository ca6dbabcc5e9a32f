import torch
from torch import nn

torch.manual_seed(0)
encoder = nn.Sequential(nn.Linear(3, 4), nn.Tanh())
head = nn.Linear(4, 1)
x = torch.randn(5, 3)
features = encoder(x)
features = features.detach()
head(features).pow(2).mean().backward()
result = [torch.zeros(4, 3) if encoder[0].weight.grad is None else encoder[0].weight.grad.clone()]

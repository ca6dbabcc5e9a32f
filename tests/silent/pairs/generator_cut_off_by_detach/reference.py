import torch
from torch import nn

torch.manual_seed(0)
gen = nn.Sequential(nn.Linear(3, 3), nn.Tanh())
dis = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
real = torch.randn(6, 3)
noise = torch.randn(6, 3)
fake = gen(noise)
gradients = torch.autograd.grad(-dis(fake).mean() + 0.1 * fake.pow(2).mean(), list(gen.parameters()))
updated = [p.detach() - 0.1 * g for p, g in zip(gen.parameters(), gradients, strict=True)]
result = [[*updated, *(p.detach().clone() for p in dis.parameters())]]

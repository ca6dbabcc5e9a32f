import torch
from torch import nn

torch.manual_seed(0)
gen = nn.Sequential(nn.Linear(3, 3), nn.Tanh())
dis = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
real = torch.randn(6, 3)
noise = torch.randn(6, 3)
fake = gen(noise)
d_gradients = torch.autograd.grad(dis(fake.detach()).mean() - dis(real).mean(), list(dis.parameters()))
g_gradients = torch.autograd.grad(-dis(fake).mean(), list(gen.parameters()))
parameters = [*gen.parameters(), *dis.parameters()]
result = [[p.detach() - 0.1 * g for p, g in zip(parameters, [*g_gradients, *d_gradients], strict=True)]]

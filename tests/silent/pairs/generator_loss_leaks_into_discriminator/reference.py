import torch
from torch import nn

torch.manual_seed(0)
gen = nn.Sequential(nn.Linear(3, 3), nn.Tanh())
dis = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
real = torch.randn(6, 3)
noise = torch.randn(6, 3)
for _ in range(2):
    fake = gen(noise)
    d_loss = dis(fake.detach()).mean() - dis(real).mean()
    gradients = torch.autograd.grad(d_loss, list(dis.parameters()))
    with torch.no_grad():
        for p, g in zip(dis.parameters(), gradients, strict=True):
            p -= 0.1 * g
    gradients = torch.autograd.grad(-dis(fake).mean(), list(gen.parameters()))
    with torch.no_grad():
        for p, g in zip(gen.parameters(), gradients, strict=True):
            p -= 0.1 * g
result = [[p.detach().clone() for p in [*gen.parameters(), *dis.parameters()]]]

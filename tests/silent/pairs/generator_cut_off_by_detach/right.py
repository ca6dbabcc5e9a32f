import torch
from torch import nn

torch.manual_seed(0)
gen = nn.Sequential(nn.Linear(3, 3), nn.Tanh())
dis = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
real = torch.randn(6, 3)
noise = torch.randn(6, 3)
g_optimizer = torch.optim.SGD(gen.parameters(), lr=0.1)
d_optimizer = torch.optim.SGD(dis.parameters(), lr=0.1)

fake = gen(noise)
g_loss = -dis(fake).mean() + 0.1 * fake.pow(2).mean()
g_optimizer.zero_grad()
g_loss.backward()
g_optimizer.step()
result = [p.detach().clone() for p in [*gen.parameters(), *dis.parameters()]]

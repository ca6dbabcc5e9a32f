import torch
from torch import nn
from torch.distributions import Normal

torch.manual_seed(0)
pi = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1))
o = torch.optim.Adam(pi.parameters())
S = torch.randn(16, 3)
d = Normal(pi(S), 1.0)
A = d.sample()
lp0 = d.log_prob(A)
for ep in range(3):
    d = Normal(pi(S), 1.0)
    ratio = (d.log_prob(A) - lp0).exp()
    l = -(ratio * torch.randn(16, 1)).mean()
    o.zero_grad()
    l.backward()  # observed: AGH106
    o.step()

import torch
from torch import nn
from torch.distributions import Normal

torch.manual_seed(0)
pi = nn.Linear(3, 1)
v = nn.Linear(3, 1)
ls = nn.Parameter(torch.zeros(1))
o = torch.optim.Adam([*pi.parameters(), *v.parameters(), ls])
for it in range(2):
    S = torch.randn(16, 3)
    with torch.no_grad():
        d = Normal(pi(S), ls.exp())
        A = d.sample()
        lp0 = d.log_prob(A)
        R = torch.randn(16, 1)
        adv = R - v(S)
    for ep in range(3):
        for idx in torch.randperm(16).split(8):
            d = Normal(pi(S[idx]), ls.exp())
            ratio = (d.log_prob(A[idx]) - lp0[idx]).exp()
            a = adv[idx]
            a = (a - a.mean()) / (a.std() + 1e-8)
            l = (
                -torch.min(ratio * a, ratio.clamp(0.8, 1.2) * a).mean()
                + 0.5 * (v(S[idx]) - R[idx]).pow(2).mean()
                - 0.01 * d.entropy().mean()
            )
            o.zero_grad()
            l.backward()
            nn.utils.clip_grad_norm_([*pi.parameters(), *v.parameters(), ls], 0.5)
            o.step()
    print(l.item().hex())

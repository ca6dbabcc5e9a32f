import copy

import torch
from torch import nn

torch.manual_seed(0)
q1, q2 = nn.Linear(4, 1), nn.Linear(4, 1)
pi = nn.Linear(3, 1)
tq = copy.deepcopy(q1)
la = torch.zeros(1, requires_grad=True)
oq = torch.optim.Adam([*q1.parameters(), *q2.parameters()])
op = torch.optim.Adam(pi.parameters())
oa = torch.optim.Adam([la])
for i in range(4):
    s, a, r, s2 = torch.randn(8, 3), torch.randn(8, 1), torch.randn(8, 1), torch.randn(8, 3)
    with torch.no_grad():
        y = r + tq(torch.cat([s2, pi(s2)], 1))
    ql = sum((q(torch.cat([s, a], 1)) - y).pow(2).mean() for q in (q1, q2))
    oq.zero_grad()
    ql.backward()
    oq.step()
    for p in q1.parameters():
        p.requires_grad = False
    lp = pi(s)
    pl = (la.exp().detach() * lp - q1(torch.cat([s, lp], 1))).mean()
    op.zero_grad()
    pl.backward()
    op.step()
    for p in q1.parameters():
        p.requires_grad = True
    al = -(la * (lp.detach() + 1)).mean()
    oa.zero_grad()
    al.backward()
    oa.step()
    for p, t in zip(q1.parameters(), tq.parameters()):
        t.data.mul_(0.9)
        t.data.add_(0.1 * p.data)
    print(ql.item().hex(), pl.item().hex())

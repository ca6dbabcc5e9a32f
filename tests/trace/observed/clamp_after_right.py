import torch
from torch import nn

torch.manual_seed(0)
D = nn.Linear(3, 1)
G = nn.Linear(2, 3)
o = torch.optim.RMSprop(D.parameters(), 0.05)
og = torch.optim.RMSprop(G.parameters(), 0.05)
for i in range(3):
    for p in D.parameters():
        p.data.clamp_(-0.01, 0.01)
    l = D(G(torch.randn(4, 2)).detach()).mean() - D(torch.randn(4, 3) + 1).mean()
    D.zero_grad()
    l.backward()
    o.step()
    g = -D(G(torch.randn(4, 2))).mean()
    G.zero_grad()
    g.backward()
    og.step()
    print(l.item().hex())

import torch
from torch import nn

torch.manual_seed(0)
enc, dec = nn.Linear(6, 4), nn.Linear(4, 6)
cb = nn.Embedding(8, 4)
o = torch.optim.Adam([*enc.parameters(), *dec.parameters(), *cb.parameters()])
for i in range(3):
    x = torch.randn(10, 6)
    z = enc(x)
    i_ = torch.cdist(z.detach(), cb.weight.detach()).argmin(1)
    q = cb(i_)
    zq = z + (q - z).detach()
    l = (dec(zq) - x).pow(2).mean() + (q - z.detach()).pow(2).mean() + 0.25 * (z - q.detach()).pow(2).mean()
    o.zero_grad()
    l.backward()
    o.step()
    print(l.item().hex())

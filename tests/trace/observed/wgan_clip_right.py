import torch
from torch import nn

torch.manual_seed(0)
G = nn.Sequential(nn.Linear(4, 8), nn.ReLU(True), nn.Linear(8, 2))
D = nn.Sequential(nn.Linear(2, 8), nn.LeakyReLU(0.2, True), nn.Linear(8, 1))
og, od = torch.optim.RMSprop(G.parameters()), torch.optim.RMSprop(D.parameters())
one = torch.tensor(1.0)
mone = one * -1
for i in range(4):
    for p in D.parameters():
        p.requires_grad = True
    for _ in range(2):
        for p in D.parameters():
            p.data.clamp_(-0.1, 0.1)
        D.zero_grad()
        er = D(torch.randn(8, 2)).mean()
        er.backward(one)
        with torch.no_grad():
            z = torch.randn(8, 4)
        ef = D(G(z).data).mean()
        ef.backward(mone)
        od.step()
    for p in D.parameters():
        p.requires_grad = False
    G.zero_grad()
    gl = D(G(torch.randn(8, 4))).mean()
    gl.backward(one)
    og.step()
    print(er.item().hex(), gl.item().hex())

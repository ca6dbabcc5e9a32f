import torch
from torch import nn

torch.manual_seed(0)
f = nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4), nn.ReLU(True), nn.Linear(4, 4))
h = nn.Linear(4, 4)
o = torch.optim.SGD([*f.parameters(), *h.parameters()], 0.1)
for i in range(3):
    x1, x2 = torch.randn(6, 4), torch.randn(6, 4)
    z1, z2 = f(x1), f(x2)
    p1, p2 = h(z1), h(z2)
    l = (
        -(
            nn.functional.cosine_similarity(p1, z2.detach()).mean()
            + nn.functional.cosine_similarity(p2, z1.detach()).mean()
        )
        / 2
    )
    o.zero_grad()
    l.backward()
    o.step()
    print(l.item().hex())

import torch
from torch import nn

torch.manual_seed(0)
g = nn.Linear(4, 2)
d = nn.Sequential(nn.Linear(2, 8), nn.ReLU(inplace=True), nn.Linear(8, 1))
og = torch.optim.Adam(g.parameters())
od = torch.optim.Adam(d.parameters())
bce = nn.BCEWithLogitsLoss()
for i in range(4):
    fake = g(torch.randn(5, 4))
    od.zero_grad()
    dl = bce(d(torch.randn(5, 2)), torch.ones(5, 1)) + bce(d(fake.detach()), torch.zeros(5, 1))
    dl.backward()
    od.step()
    og.zero_grad()
    gl = bce(d(fake), torch.ones(5, 1))
    gl.backward()
    og.step()
    print(dl.item().hex(), gl.item().hex())

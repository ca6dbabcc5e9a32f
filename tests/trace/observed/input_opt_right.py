import torch
from torch import nn

torch.manual_seed(0)
m = nn.Sequential(nn.Conv2d(3, 4, 3), nn.ReLU(inplace=True), nn.Conv2d(4, 2, 3)).eval()
for p in m.parameters():
    p.requires_grad_(False)
img = torch.rand(1, 3, 8, 8).requires_grad_()
o = torch.optim.LBFGS([img])
with torch.no_grad():
    tgt = m(torch.rand(1, 3, 8, 8))


def closure():
    with torch.no_grad():
        img.clamp_(0, 1)
    o.zero_grad()
    l = (m(img) - tgt).pow(2).sum()
    l.backward()
    return l


for i in range(3):
    print(o.step(closure).item().hex())

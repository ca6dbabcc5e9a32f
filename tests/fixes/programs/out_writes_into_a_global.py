import torch
from torch import nn
torch.manual_seed(0)
cell = nn.RNNCell(4, 4)
head = nn.Linear(4, 4)
opt = torch.optim.Adam([*cell.parameters(), *head.parameters()], lr=0.1)


def scaled(t):
    with torch.no_grad():
        torch.mul(h, t, out=h)
    return h


before = cell.weight_hh.detach().clone()
h = torch.randn(4, 4)
for _ in range(3):
    h = cell(torch.randn(4, 4), h)
    scaled(torch.full_like(h, 0.5))
(head(h) + h).sum().backward()
opt.step()
assert not torch.equal(cell.weight_hh, before)
print("OK")

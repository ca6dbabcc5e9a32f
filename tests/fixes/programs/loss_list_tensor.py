import torch
from torch import nn
torch.manual_seed(0)
heads = nn.ModuleList(nn.Linear(3, 1) for _ in range(3))
opt = torch.optim.SGD(heads.parameters(), lr=0.5)
start = [p.detach().clone() for p in heads.parameters()]
for _ in range(2):
    x = torch.randn(4, 3)
    losses = [h(x).pow(2).mean() for h in heads]
    total = torch.tensor(losses, requires_grad=True).sum()
    opt.zero_grad(); total.backward(); opt.step()
moved = any(not torch.equal(a, b) for a, b in zip(start, heads.parameters()))
print("OK" if moved else "HAZARD-OBSERVED nothing moved")

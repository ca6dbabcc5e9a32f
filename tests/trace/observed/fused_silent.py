import torch
from torch import nn

torch.manual_seed(0)
a = nn.Sequential(nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 1))
o = torch.optim.AdamW(a.parameters(), fused=True)
for i in range(2):
    l1 = a(torch.randn(3, 4)).mean()
    l2 = a(torch.randn(3, 4)).pow(2).mean()
    o.zero_grad()
    l1.backward()
    o.step()  # observed: AGH206
    o.zero_grad()
    l2.backward()
    o.step()
    print(l2.item().hex())

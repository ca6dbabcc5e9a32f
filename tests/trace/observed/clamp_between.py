import torch
from torch import nn

torch.manual_seed(0)
D = nn.Linear(3, 1)
o = torch.optim.RMSprop(D.parameters(), 0.05)
for i in range(3):
    l = D(torch.randn(4, 3)).mean() - D(torch.randn(4, 3) + 1).mean()
    o.zero_grad()
    l.backward()
    for p in D.parameters():
        p.data.clamp_(-0.01, 0.01)  # observed: AGH207
    o.step()
    print(l.item().hex())

import torch
from torch import nn

torch.manual_seed(0)
m = nn.Linear(3, 4)
o = torch.optim.SGD(m.parameters(), 0.1)
for i in range(3):
    y = nn.functional.gumbel_softmax(m(torch.randn(2, 3)), hard=True)
    l = (y * torch.arange(4.0)).sum()
    o.zero_grad()
    l.backward()
    o.step()
    print(l.item().hex())

import torch
from torch import nn

torch.manual_seed(0)
m = nn.Linear(2, 3)
o = torch.optim.SGD(m.parameters(), 1e-6)
sc = torch.amp.GradScaler("cpu")
for i in range(3):
    l = m(torch.randn(4, 2)).pow(2).mean()
    o.zero_grad()
    sc.scale(l).backward()
    o.step()  # observed: AGH204
    sc.update() if False else None
    print(l.item().hex())

import torch
from torch import nn


class N(nn.Module):
    def __init__(self):
        super().__init__()
        self.ls = [nn.Linear(4, 4) for _ in range(2)]  # observed: AGH601
        self.o = nn.Linear(4, 1)

    def forward(self, x):
        for l in self.ls:
            x = l(x).relu()
        return self.o(x)


torch.manual_seed(0)
m = N()
o = torch.optim.SGD(m.parameters(), 0.1)
for i in range(3):
    l = m(torch.randn(3, 4)).pow(2).mean()
    o.zero_grad()
    l.backward()
    o.step()
    print(l.item().hex())

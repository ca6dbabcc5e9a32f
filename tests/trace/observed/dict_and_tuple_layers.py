import torch
from torch import nn


class N(nn.Module):
    def __init__(self):
        super().__init__()
        self.towers = {"a": nn.Linear(4, 4), "b": nn.Linear(4, 4)}  # observed: AGH601
        self.o = nn.Linear(4, 1)

    def forward(self, x):
        return self.o(sum(t(x).relu() for t in self.towers.values()))


torch.manual_seed(0)
m = N()
o = torch.optim.SGD(m.parameters(), 0.1)
for i in range(3):
    l = m(torch.randn(3, 4)).pow(2).mean()
    o.zero_grad()
    l.backward()
    o.step()
    print(l.item().hex())

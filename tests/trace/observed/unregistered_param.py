import torch
from torch import nn


class S(nn.Module):
    def __init__(self):
        super().__init__()
        self.l = nn.Linear(3, 3)
        self.scale = torch.ones(3, requires_grad=True)  # observed: AGH601

    def forward(self, x):
        return self.l(x) * self.scale


torch.manual_seed(0)
m = S()
o = torch.optim.SGD(m.parameters(), 0.1)
for i in range(3):
    l = m(torch.randn(2, 3)).pow(2).mean()
    o.zero_grad()
    l.backward()
    o.step()
    print(l.item().hex())

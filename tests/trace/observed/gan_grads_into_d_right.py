import torch
from torch import nn

torch.manual_seed(0)


class W(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = [nn.Linear(2, 1)]

    def forward(self, x):
        return self.net[0](x)


g = nn.Linear(3, 2)
d = W()
og = torch.optim.SGD(g.parameters(), 0.1)
od = torch.optim.SGD(d.net[0].parameters(), 0.1)
for i in range(3):
    od.zero_grad()
    l = d(g(torch.randn(4, 3)).detach()).mean()
    l.backward()
    od.step()
    og.zero_grad()
    l = -d(g(torch.randn(4, 3))).mean()
    l.backward()
    og.step()
    print(l.item().hex())

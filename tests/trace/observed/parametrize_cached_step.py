import torch
from torch import nn
from torch.nn.utils import parametrize


class Exp(nn.Module):
    def forward(self, x):
        return x.exp()


torch.manual_seed(0)
a = nn.Linear(4, 1)
parametrize.register_parametrization(a, "weight", Exp())
o = torch.optim.SGD(a.parameters(), 0.1)
with parametrize.cached():
    for i in range(2):
        l = a(torch.randn(3, 4)).mean()
        o.zero_grad()
        l.backward()  # observed: AGH106
        o.step()

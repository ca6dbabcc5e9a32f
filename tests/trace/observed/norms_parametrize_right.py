import warnings

import torch
from torch import nn
from torch.nn.utils import parametrizations, parametrize

warnings.simplefilter("ignore")
torch.manual_seed(0)


class Sym(nn.Module):
    def forward(self, x):
        return x.triu() + x.triu(1).mT


a = nn.Linear(4, 4)
parametrize.register_parametrization(a, "weight", Sym())
m = nn.Sequential(
    a,
    parametrizations.weight_norm(nn.Linear(4, 4)),
    nn.utils.spectral_norm(nn.Linear(4, 4)),
    parametrizations.spectral_norm(nn.Linear(4, 4)),
    parametrizations.orthogonal(nn.Linear(4, 4)),
    nn.utils.weight_norm(nn.Linear(4, 1)),
)
o = torch.optim.SGD(m.parameters(), 0.1)
for i in range(3):
    l = m(torch.randn(5, 4)).pow(2).mean() + m(torch.randn(5, 4)).mean()
    o.zero_grad()
    l.backward()
    o.step()
    print(l.item().hex())
with parametrize.cached():
    l = m(torch.randn(5, 4)).mean()
    l.backward()

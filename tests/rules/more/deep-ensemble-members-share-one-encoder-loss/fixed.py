import itertools

import torch
from torch import nn


class Ensemble(nn.Module):
    def __init__(self, members):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(6, 10), nn.Tanh())
        self.members = nn.ModuleList(nn.Linear(10, 2) for _ in range(members))

    def forward(self, x):
        z = self.encoder(x)
        yield from (member(z) for member in self.members)


def gaussian_nll(out, y):
    mean, raw = out.unbind(-1)
    var = nn.functional.softplus(raw) + 1e-4
    return nn.functional.gaussian_nll_loss(mean, y, var)


torch.manual_seed(0)
model = Ensemble(3)
encoder_opt = torch.optim.Adam(model.encoder.parameters(), lr=1e-3)
member_opts = {i: torch.optim.Adam(m.parameters(), lr=1e-3) for i, m in enumerate(model.members)}
for x, y in itertools.islice(((torch.randn(8, 6), torch.randn(8)) for _ in itertools.count()), 3):
    for opt in (encoder_opt, *member_opts.values()):
        opt.zero_grad()
    losses = [gaussian_nll(out, y) for out in model(x)]
    sum(losses).backward()
    for opt in (encoder_opt, *member_opts.values()):
        opt.step()

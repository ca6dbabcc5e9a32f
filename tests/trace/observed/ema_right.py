import copy

import torch
from torch import nn
from torch.optim.swa_utils import SWALR, AveragedModel, get_ema_multi_avg_fn, update_bn

torch.manual_seed(0)
m = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.Linear(4, 1))
o = torch.optim.SGD(m.parameters(), 0.1)
ema = AveragedModel(m, multi_avg_fn=get_ema_multi_avg_fn(0.9))
mine = copy.deepcopy(m).requires_grad_(False)
swa = SWALR(o, swa_lr=0.05)
for i in range(4):
    l = m(torch.randn(5, 3)).pow(2).mean()
    o.zero_grad()
    l.backward()
    o.step()
    ema.update_parameters(m)
    swa.step()
    for a, b in zip(mine.parameters(), m.parameters()):
        a.data.mul_(0.9).add_(b.data, alpha=0.1)
    print(l.item().hex())
update_bn([torch.randn(5, 3) for _ in range(2)], ema)
print(ema(torch.ones(5, 3)).sum().item().hex(), mine.eval()(torch.ones(1, 3)).item().hex())

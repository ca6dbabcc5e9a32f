import itertools

import torch
from torch import nn

torch.manual_seed(0)
GA, GB, DA, DB = (nn.Sequential(nn.Linear(2, 4), nn.ReLU(True), nn.Linear(4, k)) for k in (2, 2, 1, 1))
og = torch.optim.Adam(itertools.chain(GA.parameters(), GB.parameters()))
od = torch.optim.Adam(itertools.chain(DA.parameters(), DB.parameters()))
mse = nn.MSELoss()
for i in range(3):
    a, b = torch.randn(4, 2), torch.randn(4, 2)
    fb, fa = GA(a), GB(b)
    for d in (DA, DB):
        for p in d.parameters():
            p.requires_grad_(False)
    gl = (
        mse(DA(fa), torch.ones(4, 1))
        + mse(DB(fb), torch.ones(4, 1))
        + (GB(fb) - a).abs().mean()
        + (GA(fa) - b).abs().mean()
    )
    og.zero_grad()
    gl.backward()
    og.step()
    for d in (DA, DB):
        for p in d.parameters():
            p.requires_grad_(True)
    od.zero_grad()
    dl = mse(DA(fa.detach()), torch.zeros(4, 1)) + mse(DA(a), torch.ones(4, 1))
    dl.backward()
    dl2 = mse(DB(fb.detach()), torch.zeros(4, 1)) + mse(DB(b), torch.ones(4, 1))
    dl2.backward()
    od.step()
    print(gl.item().hex(), dl2.item().hex())

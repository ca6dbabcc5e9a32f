import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

torch.manual_seed(0)


class B(nn.Module):
    def __init__(self, re):
        super().__init__()
        self.l = nn.Sequential(nn.Linear(8, 8), nn.Dropout(0.1), nn.GELU())
        self.re = re

    def forward(self, x):
        return x + checkpoint(self.l, x, use_reentrant=self.re)


for re in (True, False):
    m = nn.Sequential(nn.Linear(4, 8), B(re), B(re), nn.Linear(8, 1))
    opt = torch.optim.Adam(m.parameters())
    for i in range(3):
        loss = m(torch.randn(6, 4)).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        print(re, loss.item().hex(), sum(p.sum().item() for p in m.parameters()).hex())

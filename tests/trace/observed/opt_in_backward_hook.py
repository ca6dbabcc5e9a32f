import torch
from torch import nn

torch.manual_seed(0)
m = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
opts = {p: torch.optim.SGD([p], 0.1) for p in m.parameters()}


def hook(p):
    opts[p].step()
    opts[p].zero_grad()


for p in m.parameters():
    p.register_post_accumulate_grad_hook(hook)
for i in range(3):
    l = m(torch.randn(5, 4)).pow(2).mean()
    l.backward()
    print(l.item().hex(), sum(p.sum().item() for p in m.parameters()).hex())

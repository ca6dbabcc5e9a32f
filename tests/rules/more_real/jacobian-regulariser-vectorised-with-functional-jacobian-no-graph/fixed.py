import torch
import torch.nn as nn
from torch.autograd.functional import jvp


def smoothness(model, x):
    v = torch.ones_like(x)
    _, d = jvp(lambda t: model(t), (x,), (v,), create_graph=True)
    return d.square().mean()


torch.manual_seed(0)
model = nn.Sequential(nn.Linear(2, 4), nn.Tanh(), nn.Linear(4, 1))
opt = torch.optim.SGD(model.parameters(), lr=0.1)
x = torch.randn(6, 2)
reg = smoothness(model, x)
loss = model(x).square().mean() + 0.1 * reg
opt.zero_grad()
loss.backward()
opt.step()
print('OK' if reg.requires_grad else 'HAZARD-OBSERVED')

import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1))
places = torch.randn(4, 3)


def forces(places):
    energy = net(places).sum()
    places.requires_grad_(True)
    return -torch.autograd.grad(energy, places)[0]


def curvature(x):
    u = net(x.detach())
    slope = torch.autograd.grad(u.sum(), x, create_graph=True)[0]
    return torch.autograd.grad(slope.sum(), x.detach())[0]


step = torch.zeros(4, 3)
step[:, 0] = 1e-2
with torch.no_grad():
    expected = -(net(places + step) - net(places - step)).squeeze(1) / 2e-2
assert torch.allclose(forces(places)[:, 0], expected, atol=1e-3)
x = torch.randn(4, 3, requires_grad=True)
assert curvature(x).shape == (4, 3) and curvature(x).abs().sum() > 0
print("OK")

import torch
from torch import nn

torch.manual_seed(0)
m = nn.Sequential(nn.Linear(3, 3), nn.Tanh(), nn.Linear(3, 2))
o = torch.optim.SGD(m.parameters(), 0.1)
for i in range(3):
    y = m(torch.randn(4, 3))
    o.zero_grad()
    y[:, 0].mean().backward(retain_graph=True)
    y[:, 1].pow(2).mean().backward()
    o.step()
    x = torch.randn(2, 3, requires_grad=True)
    j = torch.autograd.functional.jacobian(m, x)
    (g,) = torch.autograd.grad(m(x).sum(), x, create_graph=True, retain_graph=True)
    print(j.sum().item().hex())

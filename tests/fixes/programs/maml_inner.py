import torch
from torch import nn
torch.manual_seed(0)
net = nn.Linear(3, 1)
meta = torch.optim.Adam(net.parameters(), lr=1e-2)
for task in range(2):
    x, y = torch.randn(6, 3), torch.randn(6, 1)
    inner = ((net(x) - y) ** 2).mean()
    grads = torch.autograd.grad(inner, net.parameters())
    fast = [p - 0.1 * g for p, g in zip(net.parameters(), grads)]
    outer = ((x @ fast[0].t() + fast[1] - y) ** 2).mean() + 0.5 * sum(g.pow(2).sum() for g in grads)
    meta.zero_grad()
    outer.backward()
    meta.step()
print("OK" if grads[0].requires_grad else "HAZARD-OBSERVED first order only")

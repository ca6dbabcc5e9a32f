import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(1, 8), nn.Tanh(), nn.Linear(8, 1)); o = torch.optim.Adam(net.parameters(), 1e-2)
for i in range(3):
    x = torch.rand(5, 1, requires_grad=True)
    u = net(x)
    ux = torch.autograd.grad(u.sum(), x)[0]
    res = (ux + u).pow(2).mean()
    o.zero_grad(); res.backward(); o.step()
ends = [p.detach().double().sum() for p in [*net.parameters()]]
print("OK" if torch.allclose(torch.stack(ends), torch.tensor([-0.43422, -2.37618, 0.69134, -0.08673]).double(), atol=2e-4) else "HAZARD-OBSERVED")

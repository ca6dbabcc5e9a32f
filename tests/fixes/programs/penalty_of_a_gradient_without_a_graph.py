import torch
from torch import nn

torch.manual_seed(0)
D = nn.Sequential(nn.Linear(3, 5), nn.Tanh(), nn.Linear(5, 1)); o = torch.optim.SGD(D.parameters(), 0.1)
for i in range(3):
    x = torch.randn(4, 3, requires_grad=True)
    s = D(x).sum()
    g, = torch.autograd.grad(s, x)
    loss = s / 4 + g.pow(2).sum(1).mean()
    o.zero_grad(); loss.backward(); o.step()
ends = [p.detach().double().sum() for p in [*D.parameters()]]
print("OK" if torch.allclose(torch.stack(ends), torch.tensor([-1.53771, -0.20626, 0.62625, -0.25268]).double(), atol=2e-4) else "HAZARD-OBSERVED")

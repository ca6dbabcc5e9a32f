import torch
from torch import nn

torch.manual_seed(0)
m = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
o = torch.optim.SGD(m.parameters(), 0.1)
for i in range(3):
    x, y = torch.randn(5, 4), torch.randint(0, 2, (5,))
    d = torch.zeros_like(x).requires_grad_()
    for k in range(3):
        nn.functional.cross_entropy(m(x + d), y).backward()
        d.data = (d + 0.1 * d.grad.detach().sign()).clamp(-0.2, 0.2)
        d.grad.zero_()
    o.zero_grad()
    l = nn.functional.cross_entropy(m(x + d.detach()), y)
    l.backward()
    o.step()
    print(l.item().hex())

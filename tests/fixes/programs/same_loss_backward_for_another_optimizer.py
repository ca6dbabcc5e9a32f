import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(4, 2); centers = nn.Parameter(torch.randn(3, 2))
opt = torch.optim.SGD(net.parameters(), 0.1); opt_c = torch.optim.SGD([centers], 0.5)
for _ in range(3):
    x, y = torch.randn(6, 4), torch.randint(0, 3, (6,))
    f = net(x)
    loss = (f - centers[y]).pow(2).sum(1).mean()
    opt.zero_grad()
    opt_c.zero_grad()
    loss.backward()
    opt.step()
    loss.backward()
    opt_c.step()
ends = [p.detach().double().sum() for p in [*net.parameters(), centers]]
print("OK" if torch.allclose(torch.stack(ends), torch.tensor([0.04977, 0.14734, 0.34139]).double(), atol=2e-4) else "HAZARD-OBSERVED")

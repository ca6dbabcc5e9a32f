import torch
from torch import nn
torch.manual_seed(0)
net = nn.Linear(3, 1)
params = net.parameters()
n = sum(p.numel() for p in params)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
old = net.weight.detach().clone()
for _ in range(2):
    opt.zero_grad()
    (1e4 * net(torch.randn(4, 3)).sum()).backward()
    nn.utils.clip_grad_norm_(params, 0.1)
    opt.step()
print("OK" if (net.weight - old).norm() < 0.05 else "HAZARD-OBSERVED not clipped")

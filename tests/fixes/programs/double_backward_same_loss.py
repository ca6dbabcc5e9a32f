import torch
from torch import nn
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(3, 3), nn.Tanh(), nn.Linear(3, 2))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(2):
    out = net(torch.randn(4, 3))
    l1 = out[:, 0].pow(2).mean()
    l2 = out[:, 1].abs().mean()
    opt.zero_grad()
    l1.backward()
    l2.backward()
    opt.step()
print("OK")

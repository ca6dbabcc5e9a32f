import torch
from torch import nn
torch.manual_seed(0)
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=1.0)
old = net.weight.detach().clone()
for step in range(1):
    loss = 1000 * net(torch.ones(8, 4)).sum()
    opt.zero_grad()
    nn.utils.clip_grad_norm_(net.parameters(), max_norm=1.0)  # 梯度裁剪
    loss.backward()
    opt.step()
print("OK" if (net.weight - old).norm() < 1.01 else "HAZARD-OBSERVED not clipped")

import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
x = torch.randn(8, 3)
y = torch.randn(8, 3)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)
scaler.scale(net(x).pow(2).sum()).backward()
nn.utils.clip_grad_norm_(net.parameters(), 0.1)  # AGH204
scaler.step(optimizer)
scaler.update()
result = [p.detach().clone() for p in net.parameters()]

import torch
from torch import nn
torch.manual_seed(0)
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=1.0)
scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)
for i in range(1):
    old = net.weight.detach().clone()
    loss = 100 * net(torch.ones(2, 4)).sum()
    opt.zero_grad()
    scaler.scale(loss).backward()
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    scaler.step(opt)
    scaler.update()
moved = (net.weight - old).norm().item()
print("OK" if moved > 0.5 else f"HAZARD-OBSERVED {moved}")

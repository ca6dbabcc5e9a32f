import torch
from torch import nn
net = nn.Linear(2, 1)
opt = torch.optim.SGD(net.parameters(), lr=1.0)
sched = torch.optim.lr_scheduler.StepLR(opt, step_size=1, gamma=0.1)
lrs = []
for epoch in range(3):
    sched.step()
    for _ in range(2):
        opt.zero_grad()
        net(torch.randn(3, 2)).sum().backward()
        lrs.append(opt.param_groups[0]["lr"])
        opt.step()
print("OK" if lrs[0] == 1.0 else "HAZARD-OBSERVED first lr skipped")

import torch
from torch import nn

from scheduler import Schedules

torch.manual_seed(0)
nets = {"student": nn.Linear(4, 2), "aux": nn.Linear(4, 1)}
optims = {k: torch.optim.SGD(v.parameters(), lr=0.1) for k, v in nets.items()}
schedules = Schedules(optims, step=1, gamma=0.5)
rates = []
for epoch in range(3):
    schedules.step()
    for _ in range(2):
        x = torch.randn(4, 4)
        loss = nets["student"](x).pow(2).mean() + nets["aux"](x).abs().mean()
        for o in optims.values():
            o.zero_grad()
        loss.backward()
        for o in optims.values():
            o.step()
    rates.append(optims["aux"].param_groups[0]["lr"])
print("OK" if rates == [0.1, 0.05, 0.025] else "HAZARD-OBSERVED")

import warnings

import torch
from torch import nn

warnings.simplefilter("ignore")
torch.manual_seed(0)
nets = {"a": nn.Linear(3, 3), "b": nn.Linear(3, 1)}
optims = {k: torch.optim.Adam(net.parameters(), lr=0.1) for k, net in nets.items()}
schedulers = {k: torch.optim.lr_scheduler.ExponentialLR(optim, gamma=0.5) for k, optim in optims.items()}
used = []


def train_one_epoch(batches):
    for x in batches:
        for optim in optims.values():
            optim.zero_grad()
        loss = nets["b"](nets["a"](x).relu()).abs().mean()
        loss.backward()
        used.append(optims["a"].param_groups[0]["lr"])
        for optim in optims.values():
            optim.step()


for epoch in range(2):
    for scheduler in schedulers.values():
        scheduler.step()
    train_one_epoch([torch.randn(4, 3) for _ in range(2)])
print("OK" if abs(used[0] - 0.1) < 1e-9 else "HAZARD-OBSERVED")

from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class Config:
    lr: float = 0.1
    detect_anomaly: bool = True


def main(config):
    torch.autograd.set_detect_anomaly(config.detect_anomaly)
    net = nn.Linear(3, 1)
    optimizer = torch.optim.SGD(net.parameters(), lr=config.lr)
    for _ in range(2):
        optimizer.zero_grad()
        net(torch.randn(3, 3)).abs().mean().backward()
        optimizer.step()
    return torch.is_anomaly_enabled()


torch.manual_seed(0)
print("HAZARD-OBSERVED" if main(Config()) else "OK")

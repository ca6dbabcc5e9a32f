import torch
from torch import nn
nets = {k: nn.Linear(3, 1) for k in "ab"}
opts = {k: torch.optim.SGD(n.parameters(), 0.1) for k, n in nets.items()}
shared = nn.Linear(3, 3)
oshared = torch.optim.SGD(shared.parameters(), 0.1)
for _ in range(3):
    h = torch.tanh(shared(torch.randn(4, 3)))
    losses = {k: n(h).pow(2).mean() for k, n in nets.items()}
    oshared.zero_grad()
    for k in losses:
        opts[k].zero_grad()
        losses[k].backward(retain_graph=True)
        opts[k].step()
    oshared.step()
print("OK" if shared.weight.grad.abs().sum() > 0 else "HAZARD-OBSERVED")

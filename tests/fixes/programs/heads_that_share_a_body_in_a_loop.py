import torch
from torch import nn

torch.manual_seed(0)
nets = {k: nn.Linear(3, 1) for k in "ab"}
opts = {k: torch.optim.SGD(n.parameters(), 0.1) for k, n in nets.items()}
shared = nn.Linear(3, 3); oshared = torch.optim.SGD(shared.parameters(), 0.1)
for _ in range(3):
    h = torch.tanh(shared(torch.randn(4, 3)))
    losses = {k: n(h).pow(2).mean() for k, n in nets.items()}
    oshared.zero_grad()
    for k in losses:
        opts[k].zero_grad()
        losses[k].backward()
        opts[k].step()
    oshared.step()
ends = [p.detach().double().sum() for p in [*shared.parameters(), *nets["a"].parameters(), *nets["b"].parameters()]]
print("OK" if torch.allclose(torch.stack(ends), torch.tensor([-1.10533, -0.32106, -0.18903, -0.25375, -0.07607, 0.29152]).double(), atol=2e-4) else "HAZARD-OBSERVED")

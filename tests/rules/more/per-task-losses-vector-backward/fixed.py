import torch
from torch import nn


class UncertaintyWeighting(nn.Module):
    def __init__(self, tasks):
        super().__init__()
        self.log_vars = nn.ParameterDict({t: nn.Parameter(torch.zeros(())) for t in tasks})

    def forward(self, losses):
        weighted = {t: torch.exp(-self.log_vars[t]) * l + self.log_vars[t] for t, l in losses.items()}
        return torch.stack([*weighted.values()]).sum()


TASKS = {"depth": (nn.L1Loss(), 1), "normals": (nn.MSELoss(), 3), "edges": (nn.BCEWithLogitsLoss(), 1)}

torch.manual_seed(0)
trunk = nn.Sequential(nn.Linear(10, 20), nn.ELU())
heads = nn.ModuleDict({t: nn.Linear(20, n) for t, (_, n) in TASKS.items()})
weighting = UncertaintyWeighting(TASKS)
params = [p for m in (trunk, heads, weighting) for p in m.parameters()]
optimizer = torch.optim.Adam(params, lr=1e-3)
for _ in range(2):
    feats = trunk(torch.randn(6, 10))
    losses = {t: crit(heads[t](feats), torch.rand(6, n)) for t, (crit, n) in TASKS.items()}
    optimizer.zero_grad()
    total = weighting(losses)
    total.backward()
    optimizer.step()

import torch
from torch import nn

from engine import Engine, GradientCleaner

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 8), nn.ELU(), nn.Linear(8, 3))
before = [p.detach().clone() for p in model.parameters()]
engine = Engine(model, torch.optim.SGD(model.parameters(), lr=0.1), [GradientCleaner()])
engine.run([(torch.randn(6, 4), torch.randint(3, (6,))) for _ in range(3)])
same = all(torch.equal(a, b) for a, b in zip(before, model.parameters()))
print("HAZARD-OBSERVED" if same else "OK")

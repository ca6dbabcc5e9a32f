import torch
from torch import nn

from callbacks import GradientLogger, GradientReset
from trainer import Loop

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(5, 8), nn.ReLU(), nn.Linear(8, 2))
start = model[0].weight.detach().clone()
loop = Loop(model, torch.optim.SGD(model.parameters(), lr=0.1), [GradientLogger(), GradientReset()])
loop.fit([(torch.randn(4, 5), torch.randint(2, (4,))) for _ in range(3)], nn.CrossEntropyLoss())
print("HAZARD-OBSERVED" if torch.equal(start, model[0].weight.detach()) else "OK")

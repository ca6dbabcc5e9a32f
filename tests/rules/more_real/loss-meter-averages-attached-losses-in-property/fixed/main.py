import torch
from torch import nn

from meters import MeterGroup

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
meters = MeterGroup()
for step in range(4):
    x, y = torch.randn(6, 4), torch.randint(3, (6,))
    loss = nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    meters["loss"].update(loss.item(), len(x))
print("HAZARD-OBSERVED" if torch.is_tensor(meters["loss"].sum) and meters["loss"].sum.requires_grad else "OK")

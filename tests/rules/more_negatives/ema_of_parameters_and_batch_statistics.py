import copy

import torch
from torch import nn


class Ema:
    def __init__(self, model, decay=0.9):
        self.model = copy.deepcopy(model).eval()
        self.decay = decay
        for p in self.model.parameters():
            p.requires_grad_(False)

    def update(self, model):
        for e, p in zip(self.model.state_dict().values(), model.state_dict().values()):
            if e.dtype.is_floating_point:
                e *= self.decay
                e += (1 - self.decay) * p.detach()
        for e, p in zip(self.model.parameters(), model.parameters()):
            e.lerp_(p, 1 - self.decay)


torch.manual_seed(0)
model = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.ReLU(inplace=True), nn.Linear(4, 2))
ema = Ema(model)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(3):
    loss = nn.functional.cross_entropy(model(torch.randn(6, 3)), torch.randint(2, (6,)))
    opt.zero_grad()
    loss.backward()
    opt.step()
    with torch.no_grad():
        ema.update(model)
print("OK")

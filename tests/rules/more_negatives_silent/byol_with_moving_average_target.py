import copy

import torch
from torch import nn
import torch.nn.functional as F


class Byol(nn.Module):
    def __init__(self):
        super().__init__()
        self.online = nn.Sequential(nn.Linear(6, 8), nn.ReLU(inplace=True), nn.Linear(8, 4))
        self.predictor = nn.Linear(4, 4)
        self.target = copy.deepcopy(self.online)
        for p in self.target.parameters():
            p.requires_grad_(False)

    @torch.no_grad()
    def update_target(self, m=0.99):
        for o, t in zip(self.online.parameters(), self.target.parameters()):
            t.data = t.data * m + o.data * (1 - m)

    def forward(self, a, b):
        pa, pb = self.predictor(self.online(a)), self.predictor(self.online(b))
        with torch.no_grad():
            ta, tb = self.target(a), self.target(b)
        return (2 - 2 * F.cosine_similarity(pa, tb.detach()).mean()) + (2 - 2 * F.cosine_similarity(pb, ta.detach()).mean())


torch.manual_seed(0)
model = Byol()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
losses = []
for _ in range(3):
    x = torch.randn(7, 6)
    loss = model(x + 0.1 * torch.randn_like(x), x + 0.1 * torch.randn_like(x))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    model.update_target()
    losses.append(loss.item())
assert model.target[0].weight.grad is None
print("OK")

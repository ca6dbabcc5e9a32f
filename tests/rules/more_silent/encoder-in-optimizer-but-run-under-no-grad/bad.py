import torch
from torch import nn
import torch.nn.functional as F


class Contrast(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(8, 8), nn.ReLU())
        self.projector = nn.Linear(8, 4)

    def embed(self, x):
        with torch.no_grad():
            h = self.encoder(x)
        return F.normalize(self.projector(h), dim=1)

    def forward(self, a, b):
        return self.embed(a), self.embed(b)


def nt_xent(za, zb, t=0.5):
    return F.cross_entropy(za @ zb.t() / t, torch.arange(len(za)))


torch.manual_seed(0)
model = Contrast()
before = model.encoder[0].weight.detach().clone()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for _ in range(3):
    x = torch.randn(6, 8)
    loss = nt_xent(*model(x + 0.1 * torch.randn_like(x), x))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print("HAZARD-OBSERVED" if torch.equal(before, model.encoder[0].weight) else "OK")

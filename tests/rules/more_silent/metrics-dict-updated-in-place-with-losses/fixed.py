import torch
from torch import nn
import torch.nn.functional as F


class Autoencoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.down, self.up = nn.Linear(8, 2), nn.Linear(2, 8)

    def forward(self, x):
        z = self.down(x).tanh()
        return self.up(z), z


def train_epoch(model, optimizer, data):
    totals = {"recon": torch.zeros(()), "sparse": torch.zeros(())}
    for x in data:
        recon, z = model(x)
        losses = {"recon": F.mse_loss(recon, x), "sparse": z.abs().mean()}
        optimizer.zero_grad()
        sum(losses.values()).backward()
        optimizer.step()
        for name, value in losses.items():
            totals[name] += value.detach()
    return {name: total / len(data) for name, total in totals.items()}


torch.manual_seed(0)
model = Autoencoder()
optimizer = torch.optim.Adam(model.parameters())
report = train_epoch(model, optimizer, [torch.randn(4, 8) for _ in range(5)])
print("HAZARD-OBSERVED" if any(value.requires_grad for value in report.values()) else "OK")

import torch
from torch import nn


class Trainer:
    def __init__(self, config):
        self.g = nn.Sequential(nn.Linear(config["z"], 8), nn.ReLU(), nn.Linear(8, 2))
        self.d = nn.Sequential(nn.Linear(2, 8), nn.LeakyReLU(0.2), nn.Linear(8, 1))
        self.g_opt = torch.optim.Adam(self.g.parameters(), lr=config["lr"])
        self.d_opt = torch.optim.Adam(self.d.parameters(), lr=config["lr"])
        self.z = config["z"]
        self.waste = []

    def d_step(self, real):
        self.d_opt.zero_grad()
        fake = self.g(torch.randn(len(real), self.z))
        loss = torch.relu(1 - self.d(real)).mean() + torch.relu(1 + self.d(fake)).mean()
        loss.backward()
        self.waste.append(self.g[0].weight.grad is not None)
        self.d_opt.step()

    def g_step(self, n):
        self.g_opt.zero_grad()
        loss = -self.d(self.g(torch.randn(n, self.z))).mean()
        loss.backward()
        self.g_opt.step()
        self.g_opt.zero_grad()


torch.manual_seed(0)
trainer = Trainer({"z": 4, "lr": 2e-4})
for _ in range(3):
    trainer.d_step(torch.randn(6, 2))
    trainer.g_step(6)
print("HAZARD-OBSERVED" if any(trainer.waste) else "OK")

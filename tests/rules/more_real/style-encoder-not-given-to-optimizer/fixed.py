import itertools

import torch
import torch.nn as nn
import torch.nn.functional as F


class Translator(nn.Module):
    def __init__(self, dim=10):
        super().__init__()
        self.content_encoder = nn.Sequential(nn.Linear(dim, 16), nn.ReLU(), nn.Linear(16, 6))
        self.style_encoder = nn.Sequential(nn.Linear(dim, 16), nn.ReLU(), nn.Linear(16, 2))
        self.decoder = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, dim))

    def forward(self, x):
        return self.decoder(torch.cat([self.content_encoder(x), self.style_encoder(x)], dim=1))


class Trainer:
    def __init__(self, cfg):
        self.net = Translator(cfg["dim"])
        self.optimizer = torch.optim.Adam(
            self.net.parameters(), lr=cfg["lr"]
        )

    def fit(self, batches):
        for x in batches:
            self.optimizer.zero_grad()
            F.l1_loss(self.net(x), x).backward()
            self.optimizer.step()


torch.manual_seed(0)
trainer = Trainer({"dim": 10, "lr": 1e-2})
start = trainer.net.style_encoder[0].weight.detach().clone()
trainer.fit([torch.randn(8, 10) for _ in range(3)])
print("HAZARD-OBSERVED" if torch.equal(start, trainer.net.style_encoder[0].weight.detach()) else "OK")

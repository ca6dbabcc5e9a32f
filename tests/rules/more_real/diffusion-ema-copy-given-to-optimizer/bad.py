import copy

import torch
import torch.nn as nn


class Denoiser(nn.Module):
    def __init__(self, dim=4):
        super().__init__()
        self.time = nn.Embedding(50, 8)
        self.net = nn.Sequential(nn.Linear(dim + 8, 32), nn.SiLU(), nn.Linear(32, dim))

    def forward(self, x, t):
        return self.net(torch.cat([x, self.time(t)], 1))


class Diffusion:
    def __init__(self, steps=50):
        self.model = Denoiser()
        self.ema = copy.deepcopy(self.model)
        betas = torch.linspace(1e-4, 0.02, steps)
        self.alpha_bar = torch.cumprod(1 - betas, 0)
        self.optimizer = torch.optim.AdamW(self.ema.parameters(), lr=1e-3)

    def loss(self, x):
        t = torch.randint(50, (len(x),))
        noise = torch.randn_like(x)
        a = self.alpha_bar[t].unsqueeze(1)
        return nn.functional.mse_loss(self.model(a.sqrt() * x + (1 - a).sqrt() * noise, t), noise)

    @torch.no_grad()
    def update_ema(self, decay=0.9):
        for p, e in zip(self.model.parameters(), self.ema.parameters()):
            e.lerp_(p, 1 - decay)

    def train_step(self, x):
        loss = self.loss(x)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.update_ema()


torch.manual_seed(0)
d = Diffusion()
start = d.model.net[0].weight.detach().clone()
for _ in range(3):
    d.train_step(torch.randn(8, 4))
print("HAZARD-OBSERVED" if torch.equal(start, d.model.net[0].weight.detach()) else "OK")

import math
from dataclasses import dataclass

import torch
from torch import nn, optim


@dataclass
class Schedule:
    steps: int = 20

    def __post_init__(self):
        beta = torch.linspace(1e-4, 0.02, self.steps)
        self.alpha_bar = (1 - beta).cumprod(dim=0)

    def q_sample(self, x0, t, noise):
        a = self.alpha_bar[t].view(-1, 1)
        return a.sqrt() * x0 + (1 - a).sqrt() * noise


class TimeEmbedding(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.register_buffer("freq", torch.exp(-math.log(1e4) * torch.arange(dim // 2) / (dim // 2)))

    def forward(self, t):
        angle = t[:, None].float() * self.freq[None]
        return torch.cat([angle.sin(), angle.cos()], -1)


class EpsNet(nn.Module):
    def __init__(self, dim=4, width=16):
        super().__init__()
        self.time = TimeEmbedding(8)
        self.body = nn.Sequential(nn.Linear(dim + 8, width), nn.SiLU(), nn.Linear(width, dim))

    def forward(self, x, t):
        return self.body(torch.cat([x, self.time(t)], dim=-1))


class Distiller:
    def __init__(self, teacher, student):
        self.teacher, self.student = teacher, student
        self.opt = optim.AdamW(student.parameters(), lr=1e-3)
        self.schedule = Schedule()

    def training_step(self, x0):
        t = torch.randint(0, self.schedule.steps, (x0.shape[0],))
        xt = self.schedule.q_sample(x0, t, torch.randn_like(x0))
        target = self.teacher(xt, t)
        for _ in range(2):
            loss = nn.functional.mse_loss(self.student(xt, t), target)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
        return loss.item()


torch.manual_seed(0)
d = Distiller(EpsNet(), EpsNet())
for i in range(2):
    print("%d %.4f" % (i, d.training_step(torch.randn(6, 4))))

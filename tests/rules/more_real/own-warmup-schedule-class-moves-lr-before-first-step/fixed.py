import math

import torch
import torch.nn as nn


class CosineWarmup(torch.optim.lr_scheduler.LRScheduler):
    def __init__(self, optimizer, total, min_lr=0.0):
        self.total, self.min_lr = total, min_lr
        super().__init__(optimizer)

    def get_lr(self):
        t = self.last_epoch / self.total
        return [self.min_lr + 0.5 * (b - self.min_lr) * (1 + math.cos(math.pi * t)) for b in self.base_lrs]


class Session:
    def __init__(self, model, lr, steps):
        self.model = model
        self.opt = torch.optim.SGD(model.parameters(), lr=lr)
        self.sched = CosineWarmup(self.opt, steps)
        self.used = []

    def step(self, x, y):
        self.opt.zero_grad()
        nn.functional.mse_loss(self.model(x), y).backward()
        self.used.append(self.opt.param_groups[0]['lr'])
        self.opt.step()
        self.sched.step()


torch.manual_seed(0)
s = Session(nn.Linear(2, 1), 0.5, 4)
for _ in range(3):
    s.step(torch.randn(4, 2), torch.randn(4, 1))
print('OK' if s.used[0] == 0.5 else 'HAZARD-OBSERVED')

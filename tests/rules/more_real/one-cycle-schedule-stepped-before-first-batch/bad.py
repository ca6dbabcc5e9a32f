import torch
import torch.nn as nn


class BaseTrainer:
    def __init__(self, model, optimizer):
        self.model, self.optimizer, self.rates = model, optimizer, []

    def before_batch(self):
        pass

    def after_batch(self):
        pass

    def fit(self, batches):
        for x, y in batches:
            self.before_batch()
            self.optimizer.zero_grad()
            nn.functional.mse_loss(self.model(x), y).backward()
            self.rates.append(self.optimizer.param_groups[0]["lr"])
            self.optimizer.step()
            self.after_batch()
        return self.rates


class ScheduledTrainer(BaseTrainer):
    def __init__(self, model, optimizer, scheduler):
        super().__init__(model, optimizer)
        self.scheduler = scheduler

    def before_batch(self):
        self.scheduler.step()


torch.manual_seed(0)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=0.1, total_steps=10)
first = optimizer.param_groups[0]["lr"]
rates = ScheduledTrainer(model, optimizer, scheduler).fit([(torch.randn(3, 4), torch.randn(3, 1)) for _ in range(4)])
print("OK" if rates[0] == first else "HAZARD-OBSERVED")

import torch
from torch import nn


class Callback:
    def on_epoch_start(self, trainer): ...
    def on_batch_end(self, trainer): ...
    def on_epoch_end(self, trainer): ...


class Average(Callback):
    def on_epoch_start(self, trainer):
        self.total, self.count = 0.0, 0

    def on_batch_end(self, trainer):
        self.total += trainer.loss.item()
        self.count += 1

    def on_epoch_end(self, trainer):
        trainer.history.append(self.total / self.count)


class Schedule(Callback):
    def __init__(self, scheduler):
        self.scheduler = scheduler

    def on_epoch_end(self, trainer):
        self.scheduler.step()


class Ema(Callback):
    def __init__(self, model, decay=0.9):
        self.shadow = {k: v.detach().clone() for k, v in model.state_dict().items()}
        self.decay = decay

    def on_batch_end(self, trainer):
        for k, v in trainer.model.state_dict().items():
            self.shadow[k].mul_(self.decay).add_(v, alpha=1 - self.decay)


class Trainer:
    def __init__(self, model, optimizer, callbacks):
        self.model, self.optimizer, self.callbacks, self.history = model, optimizer, callbacks, []

    def call(self, name):
        for callback in self.callbacks:
            getattr(callback, name)(self)

    def fit(self, data, epochs=2):
        for _ in range(epochs):
            self.call("on_epoch_start")
            for x, y in data:
                self.optimizer.zero_grad()
                self.loss = nn.functional.mse_loss(self.model(x), y)
                self.loss.backward()
                self.optimizer.step()
                self.call("on_batch_end")
            self.call("on_epoch_end")


torch.manual_seed(0)
model = nn.Linear(3, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
trainer = Trainer(model, optimizer, [Average(), Schedule(torch.optim.lr_scheduler.StepLR(optimizer, 1)), Ema(model)])
trainer.fit([(torch.randn(4, 3), torch.randn(4, 1)) for _ in range(3)])
assert len(trainer.history) == 2
print("OK")

import torch
from torch import nn


class Loop:
    def __init__(self, model, optimizer):
        self.model, self.optimizer = model, optimizer
        self.hooks = {"backward": [], "step": []}
        self.applied = []

    def on(self, event, hook):
        self.hooks[event].append(hook)

    def emit(self, event):
        for hook in self.hooks[event]:
            hook(self.model)

    def train(self, batches):
        for x, y in batches:
            self.optimizer.zero_grad()
            loss = nn.functional.l1_loss(self.model(x), y) * 50
            loss.backward()
            self.emit("backward")
            self.applied.append(max(p.grad.norm().item() for p in self.model.parameters()))
            self.optimizer.step()
            self.emit("step")


def clip(model, limit=1.0):
    nn.utils.clip_grad_norm_(model.parameters(), limit)


torch.manual_seed(0)
model = nn.Sequential(nn.Linear(3, 4), nn.GELU(), nn.Linear(4, 1))
loop = Loop(model, torch.optim.SGD(model.parameters(), lr=1e-3))
loop.on("backward", clip)
loop.train([(torch.randn(4, 3), torch.randn(4, 1)) for _ in range(3)])
print("HAZARD-OBSERVED" if max(loop.applied) > 1.01 else "OK")

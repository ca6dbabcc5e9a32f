import torch
import torch.nn as nn


class Engine:
    def __init__(self, fn):
        self.fn, self.iteration, self.handlers = fn, 0, {}

    def on(self, ev):
        return lambda f: self.handlers.setdefault(ev, []).append(f) or f

    def run(self, data):
        for batch in data:
            self.iteration += 1
            out = self.fn(self, batch)
            for f in self.handlers.get('iter', []):
                f(self, out)


model = nn.Linear(3, 1)
opt = torch.optim.SGD(model.parameters(), 0.1)
sched = torch.optim.lr_scheduler.ExponentialLR(opt, 0.9)
ACC = 2


def update(engine, batch):
    if (engine.iteration - 1) % ACC == 0:
        opt.zero_grad()
    loss = model(batch).square().mean() / ACC
    loss.backward()
    if engine.iteration % ACC == 0:
        opt.step()
    return loss.item()


trainer = Engine(update)


@trainer.on('iter')
def log(engine, out):
    if engine.iteration % ACC == 0:
        sched.step()


trainer.run(torch.randn(4, 5, 3))
print('OK')

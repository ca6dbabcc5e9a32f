from torch.optim.lr_scheduler import StepLR


class Schedules:
    def __init__(self, optimizers, step, gamma):
        self.inner = [StepLR(o, step_size=step, gamma=gamma) for o in optimizers.values()]

    def step(self):
        for scheduler in self.inner:
            scheduler.step()

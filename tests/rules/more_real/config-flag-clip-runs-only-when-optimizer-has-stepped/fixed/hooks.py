import torch


class Hook:
    def before_step(self, runner):
        pass

    def after_step(self, runner):
        pass


class GradClipHook(Hook):
    def __init__(self, max_norm):
        self.max_norm = max_norm

    def before_step(self, runner):
        torch.nn.utils.clip_grad_norm_(runner.model.parameters(), self.max_norm)


class CountHook(Hook):
    steps = 0

    def after_step(self, runner):
        self.steps += 1

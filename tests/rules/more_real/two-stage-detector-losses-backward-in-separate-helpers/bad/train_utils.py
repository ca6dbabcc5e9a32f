import torch


class Step:
    def __init__(self, optimizer, clip=None):
        self.optimizer, self.clip = optimizer, clip

    def backward(self, *losses):
        self.optimizer.zero_grad()
        for loss in losses:
            loss.backward()
        if self.clip:
            params = [p for g in self.optimizer.param_groups for p in g["params"]]
            torch.nn.utils.clip_grad_norm_(params, self.clip)
        self.optimizer.step()

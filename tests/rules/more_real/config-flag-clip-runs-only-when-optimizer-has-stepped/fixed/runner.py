import torch

from hooks import CountHook, GradClipHook

HOOKS = {"clip": GradClipHook, "count": CountHook}


class Runner:
    def __init__(self, model, cfg):
        self.model = model
        self.optimizer = getattr(torch.optim, cfg["optimizer"]["type"])(model.parameters(), lr=cfg["optimizer"]["lr"])
        self.hooks = [HOOKS[h["type"]](**{k: v for k, v in h.items() if k != "type"}) for h in cfg["hooks"]]

    def call_hooks(self, name):
        for hook in self.hooks:
            getattr(hook, name)(self)

    def train_iter(self, batch):
        self.optimizer.zero_grad()
        loss = (self.model(batch[0]) - batch[1]).pow(2).mean()
        loss.backward()
        self.call_hooks("before_step")
        self.optimizer.step()
        self.call_hooks("after_step")

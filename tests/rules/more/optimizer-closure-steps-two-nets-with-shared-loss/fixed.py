import functools

import torch
from torch import nn, optim


def log_call(fn):
    @functools.wraps(fn)
    def wrapper(*args, **kwargs):
        result = fn(*args, **kwargs)
        print(f"{fn.__name__} -> {float(result):.4f}")
        return result
    return wrapper


class CrossModal(nn.Module):
    def __init__(self):
        super().__init__()
        self.image = nn.Sequential(nn.Linear(8, 12), nn.ReLU(), nn.Linear(12, 6))
        self.text = nn.Sequential(nn.Linear(5, 12), nn.ReLU(), nn.Linear(12, 6))
        self.temperature = 0.1

    def forward(self, image, text):
        i = nn.functional.normalize(self.image(image), dim=-1)
        t = nn.functional.normalize(self.text(text), dim=-1)
        logits = i @ t.t() / self.temperature
        target = torch.arange(len(logits))
        return nn.functional.cross_entropy(logits, target), nn.functional.cross_entropy(logits.t(), target)


class Alternating:
    def __init__(self, model):
        self.model = model
        self.optimizers = {
            "image": optim.Adam(model.image.parameters(), lr=1e-2),
            "text": optim.Adam(model.text.parameters(), lr=1e-2),
        }

    @log_call
    def step(self, batch):
        losses = dict(zip(self.optimizers, self.model(*batch)))
        for opt in self.optimizers.values():
            opt.zero_grad()
        sum(losses.values()).backward()
        for opt in self.optimizers.values():
            opt.step()
        return sum(losses.values())


torch.manual_seed(0)
trainer = Alternating(CrossModal())
for _ in range(2):
    trainer.step((torch.randn(6, 8), torch.randn(6, 5)))

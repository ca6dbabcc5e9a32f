import functools
from collections import defaultdict

import numpy as np
import torch
from torch import nn

METRICS = defaultdict(list)


def track(*names):
    def decorator(fn):
        @functools.wraps(fn)
        def wrapped(self, *args, **kwargs):
            out = fn(self, *args, **kwargs)
            for name in names:
                value = out[name]
                METRICS[name].append(value.numpy() if torch.is_tensor(value) else np.float32(value))
            return out
        return wrapped
    return decorator


class LitModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3))

    @track("loss", "accuracy")
    def training_step(self, batch):
        x, y = batch
        logits = self.net(x)
        loss = nn.functional.cross_entropy(logits, y)
        return {"loss": loss, "accuracy": (logits.argmax(1) == y).float().mean(), "log": {}}


torch.manual_seed(0)
model = LitModel()
optimizer = torch.optim.Adam(model.parameters())
for _ in range(2):
    out = model.training_step((torch.randn(6, 4), torch.randint(3, (6,))))
    optimizer.zero_grad()
    out["loss"].backward()
    optimizer.step()
print({k: np.mean(v) for k, v in METRICS.items()})

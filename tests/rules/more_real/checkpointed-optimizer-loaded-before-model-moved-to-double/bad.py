import io

import torch
import torch.nn as nn


class Experiment:
    """Bundles everything that goes into a checkpoint."""

    def __init__(self, build, lr=0.1):
        self.build = build
        self.model = build()
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=lr, momentum=0.9)

    def save(self, f):
        torch.save({'model': self.model.state_dict(), 'optimizer': self.optimizer.state_dict()}, f)

    def resume(self, f):
        ckpt = torch.load(f)
        self.model = self.build()
        self.model.load_state_dict(ckpt['model'])
        self.optimizer.load_state_dict(ckpt['optimizer'])
        return self

    def fit(self, batches):
        for x, y in batches:
            self.optimizer.zero_grad()
            loss = nn.functional.mse_loss(self.model(x), y)
            loss.backward()
            self.optimizer.step()


torch.manual_seed(0)
data = [(torch.randn(4, 2), torch.randn(4, 1)) for _ in range(2)]
buf = io.BytesIO()
exp = Experiment(lambda: nn.Linear(2, 1))
exp.fit(data)
exp.save(buf)
buf.seek(0)
exp.resume(buf)
w = exp.model.weight.detach().clone()
exp.fit(data)
print('HAZARD-OBSERVED' if torch.equal(w, exp.model.weight) else 'OK')

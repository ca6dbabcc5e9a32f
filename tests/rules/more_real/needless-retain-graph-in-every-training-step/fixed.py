import torch
import torch.nn as nn


class Trainer:
    def __init__(self, model, retain=False):
        self.model = model
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def train_step(self, x, y):
        self.optimizer.zero_grad()
        out = self.model(x)
        loss = nn.functional.cross_entropy(out, y)
        loss.backward()
        self.optimizer.step()
        try:
            loss.grad_fn._saved_self
            return True
        except RuntimeError:
            return False


torch.manual_seed(0)
trainer = Trainer(nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3)))
kept = [trainer.train_step(torch.randn(5, 4), torch.randint(3, (5,))) for _ in range(3)]
print("HAZARD-OBSERVED" if any(kept) else "OK")

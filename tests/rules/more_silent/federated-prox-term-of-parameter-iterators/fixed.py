import torch
from torch import nn


class LocalTrainer:
    def __init__(self, model, anchor, mu):
        self.model, self.mu = model, mu
        self.anchor = [p.detach().clone() for p in anchor.parameters()]

    def penalty(self):
        total = 0.0
        for p, a in zip(self.model.parameters(), self.anchor):
            total = total + (p - a).square().sum()
        return total

    def run(self, batches):
        opt = torch.optim.SGD(self.model.parameters(), lr=0.1)
        seen = []
        for x, y in batches:
            opt.zero_grad()
            pen = self.penalty()
            loss = nn.functional.mse_loss(self.model(x), y) + self.mu * pen
            loss.backward()
            opt.step()
            seen.append(torch.is_tensor(pen))
        return seen


torch.manual_seed(0)
g = nn.Linear(3, 1)
m = nn.Linear(3, 1)
seen = LocalTrainer(m, g, 0.1).run([(torch.randn(4, 3), torch.randn(4, 1))] * 3)
print("OK" if all(seen) else "HAZARD-OBSERVED")

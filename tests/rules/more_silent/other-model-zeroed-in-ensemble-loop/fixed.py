import torch
from torch import nn


class Ensemble:
    def __init__(self, size=2):
        self.members = [nn.Linear(3, 1) for _ in range(size)]
        self.optims = [torch.optim.SGD(member.parameters(), lr=0.0) for member in self.members]
        self.average = nn.Linear(3, 1)

    def update(self, x, y):
        norms = []
        for member, optim in zip(self.members, self.optims):
            member.zero_grad()
            loss = (member(x) - y).pow(2).mean()
            loss.backward()
            norms.append(member.weight.grad.norm().item())
            optim.step()
        return norms


torch.manual_seed(0)
ensemble, x, y = Ensemble(), torch.randn(6, 3), torch.randn(6, 1)
first, second = ensemble.update(x, y), ensemble.update(x, y)
print("OK" if abs(first[0] - second[0]) < 1e-6 else "HAZARD-OBSERVED")

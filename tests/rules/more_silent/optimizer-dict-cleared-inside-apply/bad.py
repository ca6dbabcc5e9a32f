import torch
from torch import nn


class Learner:
    def __init__(self):
        self.nets = {"encoder": nn.Linear(6, 4), "head": nn.Linear(4, 1)}
        self.optimizers = {name: torch.optim.Adam(net.parameters(), lr=0.05) for name, net in self.nets.items()}

    def loss(self, x, y):
        return nn.functional.mse_loss(self.nets["head"](self.nets["encoder"](x).relu()), y)

    def apply(self):
        for optimizer in self.optimizers.values():
            optimizer.zero_grad()
            optimizer.step()

    def fit(self, data):
        for x, y in data:
            loss = self.loss(x, y)
            loss.backward()
            self.apply()


torch.manual_seed(0)
learner = Learner()
before = learner.nets["head"].weight.detach().clone()
learner.fit([(torch.randn(5, 6), torch.randn(5, 1)) for _ in range(4)])
print("HAZARD-OBSERVED" if torch.equal(before, learner.nets["head"].weight) else "OK")

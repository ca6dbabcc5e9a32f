import torch
from torch import nn

torch.manual_seed(0)


class Trainer:
    def __init__(self):
        self.net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.1)

    def step(self, x):
        self.out = self.net(x)
        loss = self.out.pow(2).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()


trainer, seen = Trainer(), []
for _ in range(3):
    trainer.step(torch.randn(4, 3))
    seen.append(trainer.net[0].weight.detach().clone())
trainer.out.sum().backward()  # left over from a look at the gradients
assert all(not torch.equal(a, b) for a, b in zip(seen, seen[1:]))
print("OK")

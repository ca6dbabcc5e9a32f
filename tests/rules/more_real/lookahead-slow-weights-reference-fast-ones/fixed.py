import torch
from torch import nn


class Lookahead:
    def __init__(self, optimizer, k=2, alpha=0.5):
        self.optimizer, self.k, self.alpha, self.count = optimizer, k, alpha, 0
        self.slow = [[p.clone().detach() for p in g["params"]] for g in optimizer.param_groups]

    def zero_grad(self):
        self.optimizer.zero_grad()

    def step(self):
        self.optimizer.step()
        self.count += 1
        if self.count % self.k:
            return
        with torch.no_grad():
            self.blend()

    def blend(self):
        for group, slow in zip(self.optimizer.param_groups, self.slow):
            for p, s in zip(group["params"], slow):
                s += self.alpha * (p.data - s)
                p.copy_(s)


torch.manual_seed(0)
net = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 1))
opt = Lookahead(torch.optim.SGD(net.parameters(), lr=0.1))
for _ in range(4):
    opt.zero_grad()
    net(torch.randn(4, 3)).pow(2).mean().backward()
    opt.step()

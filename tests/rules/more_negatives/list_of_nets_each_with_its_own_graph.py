from itertools import zip_longest

import torch
from torch import nn


class Agent:
    def __init__(self, n):
        self.net = nn.Sequential(nn.Linear(n, 8), nn.ReLU(), nn.Linear(8, 1))
        self.opt = torch.optim.RMSprop(self.net.parameters(), lr=1e-3)

    def loss(self, x):
        return self.net(x).pow(2).mean()

    def apply(self, loss):
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()


torch.manual_seed(0)
agents = [Agent(3) for _ in range(3)]
for _ in range(2):
    x = torch.randn(4, 3)
    losses = [a.loss(x) for a in agents]
    for agent, loss in zip_longest(agents, losses):
        agent.apply(loss)
print("OK")

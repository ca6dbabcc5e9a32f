import copy

import torch
from torch import nn


class Fqi:
    def __init__(self):
        self.q = nn.Sequential(nn.Linear(3, 16), nn.ReLU(), nn.Linear(16, 2))
        self.target = copy.deepcopy(self.q)
        self.opt = torch.optim.Adam(self.q.parameters(), 1e-3)

    @torch.no_grad()
    def labels(self, r, s2):
        return r + 0.9 * self.target(s2).max(dim=1).values

    def fit(self, s, a, r, s2, epochs=3):
        y = self.labels(r, s2)
        for _ in range(epochs):
            q = self.q(s).gather(1, a.unsqueeze(1)).squeeze(1)
            loss = nn.functional.smooth_l1_loss(q, y)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
        self.target.load_state_dict(self.q.state_dict())


torch.manual_seed(0)
agent = Fqi()
for _ in range(2):
    agent.fit(torch.randn(8, 3), torch.randint(2, (8,)), torch.randn(8), torch.randn(8, 3))
print("OK")

from dataclasses import dataclass, field
from typing import List

import torch
from torch import nn
from torch.distributions import Categorical


@dataclass
class Rollout:
    log_probs: List[torch.Tensor] = field(default_factory=list)
    rewards: List[float] = field(default_factory=list)

    def add(self, log_prob, reward):
        self.log_probs.append(log_prob)
        self.rewards.append(reward)

    def returns(self, gamma=0.9):
        out, g = [], 0.0
        for r in self.rewards[::-1]:
            g = r + gamma * g
            out.insert(0, g)
        return torch.tensor(out)

    def clear(self):
        self.log_probs.clear()
        self.rewards.clear()


class Bandit:
    def __init__(self, arms):
        self.means = torch.rand(arms)

    def pull(self, arm):
        return float(self.means[arm] + 0.1 * torch.randn(()))


class Policy(nn.Module):
    def __init__(self, arms):
        super().__init__()
        self.body = nn.Linear(4, 8)
        self.head = nn.Linear(8, arms)

    def forward(self, x):
        return Categorical(logits=self.head(torch.tanh(self.body(x))))


torch.manual_seed(0)
bandit, policy, rollout = Bandit(3), Policy(3), Rollout()
optimizer = torch.optim.Adam(policy.parameters(), lr=0.02)
for episode in range(3):
    for _ in range(4):
        dist = policy(torch.randn(4))
        action = dist.sample()
        rollout.add(dist.log_prob(action), bandit.pull(action))
    g = rollout.returns()
    loss = -(torch.stack(rollout.log_probs) * (g - g.mean())).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

from collections import deque

import torch
from torch import nn


class Agent:
    def __init__(self):
        self.policy = nn.Linear(4, 2)
        self.value = nn.Linear(4, 1)
        self.optimizer = torch.optim.Adam([*self.policy.parameters(), *self.value.parameters()], lr=1e-2)
        self.recent = deque()

    def learn(self, states, returns):
        dist = torch.distributions.Categorical(logits=self.policy(states))
        actions = dist.sample()
        value = self.value(states).squeeze(-1)
        advantage = (returns - value).detach()
        loss = -(dist.log_prob(actions) * advantage).mean() + (returns - value).pow(2).mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.recent.append(value.mean())
        return loss.item()


torch.manual_seed(0)
agent = Agent()
for episode in range(5):
    agent.learn(torch.randn(6, 4), torch.randn(6))
print("HAZARD-OBSERVED" if any(value.requires_grad for value in agent.recent) else "OK")

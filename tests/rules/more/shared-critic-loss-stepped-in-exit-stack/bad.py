from contextlib import ExitStack

import torch
from torch import nn


class Learner:
    def __init__(self):
        self.policy, self.critic = nn.Linear(4, 2), nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 1))
        self.optim = {k: torch.optim.Adam(getattr(self, k).parameters(), lr=1e-2) for k in ("policy", "critic")}

    def q(self, s, a):
        return self.critic(torch.cat([s, a], -1))

    def losses(self, s, a, r):
        return (self.q(s, a).squeeze(-1) - r).pow(2).mean(), -self.q(s, self.policy(s).tanh()).mean()

    def learn(self, s, a, r):
        critic_loss, policy_loss = self.losses(s, a, r)
        with ExitStack() as stack:
            stack.callback(self.optim["critic"].step)
            self.optim["critic"].zero_grad()
            critic_loss.backward()
        self.optim["policy"].zero_grad()
        policy_loss.backward()
        self.optim["policy"].step()


torch.manual_seed(0)
learner = Learner()
learner.learn(torch.randn(8, 4), torch.rand(8, 2), torch.randn(8))

from collections import deque

import torch
from torch import nn


class LineWorld:
    def __init__(self, length=6):
        self.length = length

    def reset(self):
        self.at = 0
        return self.observe()

    def observe(self):
        return torch.eye(self.length)[self.at]

    def step(self, action):
        self.at = max(0, min(self.length - 1, self.at + (1 if action else -1)))
        done = self.at == self.length - 1
        return self.observe(), float(done), done


class ValueNet(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.fc1 = nn.Linear(n, 16)
        self.fc2 = nn.Linear(16, 1)

    def forward(self, s):
        return self.fc2(torch.tanh(self.fc1(s))).squeeze(-1)


def lambda_returns(rewards, values, last, gamma=0.99, lam=0.9):
    returns = deque()
    nxt = last
    for r, v in zip(reversed(rewards), reversed(values)):
        nxt = r + gamma * ((1 - lam) * v + lam * nxt)
        returns.appendleft(nxt)
    return torch.stack(list(returns))


def rollout(env, steps):
    states, rewards = [], []
    s = env.reset()
    for _ in range(steps):
        states.append(s)
        s, r, done = env.step(torch.rand(()).item() < 0.8)
        rewards.append(r)
        if done:
            s = env.reset()
    return torch.stack(states), rewards, s


torch.manual_seed(0)
env, net = LineWorld(), ValueNet(6)
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
for iteration in range(2):
    states, rewards, last = rollout(env, 12)
    targets = lambda_returns(rewards, net(states), net(last))
    for epoch in range(3):
        loss = 0.5 * (net(states) - targets).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(iteration, float(loss))

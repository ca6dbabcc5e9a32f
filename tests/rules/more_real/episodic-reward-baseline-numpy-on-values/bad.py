import numpy as np
import torch
import torch.nn as nn


class ValueNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 1))

    def forward(self, x):
        return self.body(x).squeeze(-1)


def to_np(t):
    return t.cpu().numpy()


def gae(rewards, values, gamma=0.99, lam=0.95):
    adv = np.zeros_like(rewards)
    last = 0.0
    for t in reversed(range(len(rewards))):
        nxt = values[t + 1] if t + 1 < len(values) else 0.0
        delta = rewards[t] + gamma * nxt - values[t]
        adv[t] = last = delta + gamma * lam * last
    return adv


torch.manual_seed(0)
net = ValueNet()
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
for episode in range(2):
    states = torch.randn(6, 4)
    values = net(states)
    rewards = np.random.rand(6).astype(np.float32)
    advantages = gae(rewards, to_np(values))
    targets = torch.from_numpy(advantages) + values.detach()
    loss = (net(states) - targets).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()

import copy

import torch
from torch import nn


def mlp(i, o):
    return nn.Sequential(nn.Linear(i, 16), nn.ReLU(), nn.Linear(16, o))


class Agent(nn.Module):
    def __init__(self, obs=4, act=2, critics=2):
        super().__init__()
        self.actor = mlp(obs, act)
        self.critics = nn.ModuleList(mlp(obs + act, 1) for _ in range(critics))
        self.targets = copy.deepcopy(self.critics).requires_grad_(False)
        self.optims = {"actor": torch.optim.Adam(self.actor.parameters(), lr=1e-3)}
        self.optims |= {f"critic{i}": torch.optim.Adam(c.parameters(), lr=1e-3) for i, c in enumerate(self.critics)}

    def q(self, nets, obs, act):
        return torch.cat([net(torch.cat([obs, act], -1)) for net in nets], -1)

    def losses(self, obs, act, rew, nxt):
        with torch.no_grad():
            target = rew + 0.99 * self.q(self.targets, nxt, torch.tanh(self.actor(nxt))).min(-1).values
        qs = [critic(torch.cat([obs, act], -1)).squeeze(-1) for critic in self.critics]
        losses = {f"critic{i}": (q - target).pow(2).mean() for i, q in enumerate(qs)}
        losses["actor"] = -self.q(self.critics, obs, torch.tanh(self.actor(obs))).min(-1).values.mean()
        return losses


    def learn(self, *batch):
        for name, loss in self.losses(*batch).items():
            self.optims[name].zero_grad()
            loss.backward()
            self.optims[name].step()


torch.manual_seed(0)
agent = Agent()
for _ in range(2):
    agent.learn(torch.randn(8, 4), torch.rand(8, 2), torch.randn(8), torch.randn(8, 4))

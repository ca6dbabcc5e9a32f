from collections import namedtuple
from dataclasses import dataclass, field

import torch
from torch import nn, optim

Transition = namedtuple("Transition", "obs actions rewards next_obs")


@dataclass
class Config:
    agents: int = 3
    obs: int = 5
    acts: int = 2
    gamma: float = 0.95
    hidden: list = field(default_factory=lambda: [24, 24])


def build(sizes, out_act=None):
    layers = []
    for a, b in zip(sizes[:-1], sizes[1:]):
        layers += [nn.Linear(a, b), nn.ReLU()]
    layers.pop()
    if out_act is not None:
        layers.append(out_act())
    return nn.Sequential(*layers)


class Team:
    def __init__(self, cfg):
        self.cfg = cfg
        joint = cfg.agents * (cfg.obs + cfg.acts)
        self.actors = [build([cfg.obs, *cfg.hidden, cfg.acts], nn.Tanh) for _ in range(cfg.agents)]
        self.critic = build([joint, *cfg.hidden, cfg.agents])
        self.critic_opt = optim.Adam(self.critic.parameters(), lr=1e-2)
        self.actor_opts = [optim.Adam(a.parameters(), lr=1e-2) for a in self.actors]

    def value(self, obs, actions):
        return self.critic(torch.cat([obs.flatten(1), actions.flatten(1)], dim=1))

    def act(self, obs):
        return torch.stack([actor(obs[:, i]) for i, actor in enumerate(self.actors)], dim=1)

    def update(self, batch):
        with torch.no_grad():
            target = batch.rewards + self.cfg.gamma * self.value(batch.next_obs, self.act(batch.next_obs))
        values = self.value(batch.obs, batch.actions)
        losses = [nn.functional.mse_loss(values[:, i], target[:, i]) for i in range(self.cfg.agents)]
        for i, (loss, opt) in enumerate(zip(losses, self.actor_opts)):
            self.critic_opt.zero_grad()
            loss.backward(retain_graph=i < self.cfg.agents - 1)
            self.critic_opt.step()
            opt.zero_grad()
            policy_loss = -self.value(batch.obs, self.act(batch.obs))[:, i].mean()
            policy_loss.backward()
            opt.step()


torch.manual_seed(0)
cfg = Config()
team = Team(cfg)
for _ in range(2):
    n = 16
    team.update(Transition(torch.randn(n, cfg.agents, cfg.obs), torch.randn(n, cfg.agents, cfg.acts),
                           torch.randn(n, cfg.agents), torch.randn(n, cfg.agents, cfg.obs)))

from types import SimpleNamespace

import torch
from torch import nn


class Mixin:
    def make_optimizer(self, modules, lr):
        params = [p for m in modules for p in m.parameters()]
        return torch.optim.Adam(params, lr=lr)

    def apply_gradients(self, optimizer, loss):
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


class Dreamer(Mixin):
    def __init__(self, obs, act, dim=8):
        self.encoder = nn.Linear(obs, dim)
        self.dynamics = nn.GRUCell(act + dim, dim)
        self.prior = nn.GRUCell(act, dim)
        self.decoder = nn.Linear(dim, obs)
        self.actor = nn.Sequential(nn.Linear(dim, act), nn.Tanh())
        self.reward = nn.Linear(dim, 1)
        self.opt = SimpleNamespace(
            model=self.make_optimizer([self.encoder, self.dynamics, self.decoder, self.reward], 1e-3),
            actor=self.make_optimizer([self.actor], 1e-3),
        )

    def observe(self, obs, act):
        h, states = torch.zeros(obs.shape[1], 8), []
        for o, a in zip(obs, act):
            h = self.dynamics(torch.cat([self.encoder(o), a], -1), h)
            states.append(h)
        return torch.stack(states)

    def imagine(self, start, horizon=3):
        h = start.detach().flatten(0, 1)
        rewards = []
        for _ in range(horizon):
            h = self.prior(self.actor(h), h)
            rewards.append(self.reward(h))
        return torch.stack(rewards)

    def train(self, obs, act, rew):
        states = self.observe(obs, act)
        model_loss = (self.decoder(states) - obs).pow(2).mean() + (self.reward(states).squeeze(-1) - rew).pow(2).mean()
        self.apply_gradients(self.opt.model, model_loss)
        actor_loss = -self.imagine(states).mean()
        self.apply_gradients(self.opt.actor, actor_loss)


torch.manual_seed(0)
agent = Dreamer(5, 2)
for _ in range(2):
    agent.train(torch.randn(4, 3, 5), torch.rand(4, 3, 2), torch.randn(4, 3))

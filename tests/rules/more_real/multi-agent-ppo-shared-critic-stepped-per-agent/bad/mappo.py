import torch
import torch.nn as nn
from torch.distributions import Categorical


class Learner:
    def __init__(self, agents, obs, actions):
        self.actors = [nn.Sequential(nn.Linear(obs, 12), nn.Tanh(), nn.Linear(12, actions)) for _ in range(agents)]
        self.critic = nn.Sequential(nn.Linear(agents * obs, 16), nn.Tanh(), nn.Linear(16, agents))
        self.actor_optims = [torch.optim.Adam(a.parameters(), lr=3e-4) for a in self.actors]
        self.critic_optim = torch.optim.Adam(self.critic.parameters(), lr=1e-3)

    def update(self, obs, actions, returns):
        values = self.critic(obs.flatten(1))
        for i, (actor, optim) in enumerate(zip(self.actors, self.actor_optims)):
            advantage = (returns[:, i] - values[:, i]).detach()
            logp = Categorical(logits=actor(obs[:, i])).log_prob(actions[:, i])
            optim.zero_grad()
            (-(logp * advantage).mean()).backward()
            optim.step()

            value_loss = (returns[:, i] - values[:, i]).pow(2).mean()
            self.critic_optim.zero_grad()
            value_loss.backward(retain_graph=i < len(self.actors) - 1)
            self.critic_optim.step()

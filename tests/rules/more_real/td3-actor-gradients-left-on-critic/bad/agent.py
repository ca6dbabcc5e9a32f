import copy

import torch
import torch.nn as nn
import torch.nn.functional as F


class Critic(nn.Module):
    def __init__(self, obs_dim, act_dim):
        super().__init__()
        self.q1 = nn.Sequential(nn.Linear(obs_dim + act_dim, 24), nn.ReLU(), nn.Linear(24, 1))
        self.q2 = nn.Sequential(nn.Linear(obs_dim + act_dim, 24), nn.ReLU(), nn.Linear(24, 1))

    def forward(self, obs, act):
        x = torch.cat([obs, act], 1)
        return self.q1(x), self.q2(x)


class TD3:
    def __init__(self, obs_dim, act_dim, policy_freq=2):
        self.actor = nn.Sequential(nn.Linear(obs_dim, 24), nn.ReLU(), nn.Linear(24, act_dim), nn.Tanh())
        self.critic = Critic(obs_dim, act_dim)
        self.actor_target, self.critic_target = copy.deepcopy(self.actor), copy.deepcopy(self.critic)
        self.actor_optimizer = torch.optim.Adam(self.actor.parameters(), lr=1e-3)
        self.critic_optimizer = torch.optim.Adam(self.critic.parameters(), lr=1e-3)
        self.policy_freq, self.total_it = policy_freq, 0

    def train(self, obs, act, rew, nxt):
        self.total_it += 1
        with torch.no_grad():
            noise = (torch.randn_like(act) * 0.2).clamp(-0.5, 0.5)
            next_act = (self.actor_target(nxt) + noise).clamp(-1, 1)
            target = rew + 0.99 * torch.min(*self.critic_target(nxt, next_act))
        q1, q2 = self.critic(obs, act)
        critic_loss = F.mse_loss(q1, target) + F.mse_loss(q2, target)
        alone = torch.autograd.grad(critic_loss, self.critic.q1[0].weight, retain_graph=True)[0]
        critic_loss.backward()
        clean = torch.allclose(self.critic.q1[0].weight.grad, alone, atol=1e-6)
        self.critic_optimizer.step()
        self.critic_optimizer.zero_grad()

        if self.total_it % self.policy_freq == 0:
            actor_loss = -self.critic(obs, self.actor(obs))[0].mean()
            self.actor_optimizer.zero_grad()
            actor_loss.backward()
            self.actor_optimizer.step()
            for p, t in zip(self.critic.parameters(), self.critic_target.parameters()):
                t.data.mul_(0.995).add_(0.005 * p.data)
            for p, t in zip(self.actor.parameters(), self.actor_target.parameters()):
                t.data.mul_(0.995).add_(0.005 * p.data)
        return clean

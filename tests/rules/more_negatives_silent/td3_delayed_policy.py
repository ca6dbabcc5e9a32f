import copy

import torch
from torch import nn
import torch.nn.functional as F


class TD3:
    def __init__(self, noise=0.2, clip=0.5, delay=2, tau=0.01):
        self.actor = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 1), nn.Tanh())
        self.critic = nn.ModuleList([nn.Linear(4, 1), nn.Linear(4, 1)])
        self.actor_target, self.critic_target = copy.deepcopy(self.actor), copy.deepcopy(self.critic)
        self.actor_optimizer = torch.optim.Adam(self.actor.parameters(), lr=3e-4)
        self.critic_optimizer = torch.optim.Adam(self.critic.parameters(), lr=3e-4)
        self.noise, self.clip, self.delay, self.tau, self.it = noise, clip, delay, tau, 0

    def train(self, state, action, reward, next_state, not_done):
        self.it += 1
        with torch.no_grad():
            noise = (torch.randn_like(action) * self.noise).clamp(-self.clip, self.clip)
            next_action = (self.actor_target(next_state) + noise).clamp(-1, 1)
            joint = torch.cat([next_state, next_action], 1)
            target_q = torch.min(*(q(joint) for q in self.critic_target))
            target_q = reward + not_done * 0.99 * target_q
        current = [q(torch.cat([state, action], 1)) for q in self.critic]
        critic_loss = sum(F.mse_loss(q, target_q) for q in current)
        self.critic_optimizer.zero_grad()
        critic_loss.backward()
        self.critic_optimizer.step()
        if self.it % self.delay == 0:
            actor_loss = -self.critic[0](torch.cat([state, self.actor(state)], 1)).mean()
            self.actor_optimizer.zero_grad()
            actor_loss.backward()
            self.actor_optimizer.step()
            for net, target in ((self.critic, self.critic_target), (self.actor, self.actor_target)):
                for param, target_param in zip(net.parameters(), target.parameters()):
                    target_param.data.copy_(self.tau * param.data + (1 - self.tau) * target_param.data)


torch.manual_seed(0)
agent = TD3()
before = agent.actor[0].weight.detach().clone()
for _ in range(4):
    agent.train(torch.randn(5, 3), torch.randn(5, 1), torch.randn(5, 1), torch.randn(5, 3), torch.ones(5, 1))
assert not torch.equal(before, agent.actor[0].weight)
print("OK")

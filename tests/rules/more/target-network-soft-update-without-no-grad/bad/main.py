import copy
import random
from collections import deque

import torch
import torch.nn.functional as F

from nets import Actor, Critic
from util import soft_update


class Memory(deque):
    def draw(self, n):
        rows = random.sample(list(self), n)
        return [torch.stack(column) for column in zip(*rows)]


class DDPG:
    tau = 0.01
    gamma = 0.98

    def __init__(self, s, a):
        self.actor, self.critic = Actor(s, a), Critic(s, a)
        self.target_actor, self.target_critic = map(copy.deepcopy, (self.actor, self.critic))
        self.opt_a = torch.optim.Adam(self.actor.parameters(), 1e-4)
        self.opt_c = torch.optim.Adam(self.critic.parameters(), 1e-3)

    def learn(self, memory):
        s, a, r, s2 = memory.draw(4)
        with torch.no_grad():
            y = r + self.gamma * self.target_critic(s2, self.target_actor(s2))
        c_loss = F.smooth_l1_loss(self.critic(s, a), y)
        self.opt_c.zero_grad()
        c_loss.backward()
        self.opt_c.step()
        a_loss = -self.critic(s, self.actor(s)).mean()
        self.opt_a.zero_grad()
        a_loss.backward()
        self.opt_a.step()
        for net, target in ((self.actor, self.target_actor), (self.critic, self.target_critic)):
            soft_update(net, target, self.tau)


random.seed(0)
torch.manual_seed(0)
agent, memory = DDPG(3, 1), Memory(maxlen=100)
for _ in range(8):
    memory.append((torch.randn(3), torch.rand(1), torch.randn(1), torch.randn(3)))
for _ in range(2):
    agent.learn(memory)

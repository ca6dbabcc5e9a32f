import copy
import torch
from torch import nn
import torch.nn.functional as F

def mlp(i, o):
    return nn.Sequential(nn.Linear(i, 16), nn.ReLU(), nn.Linear(16, o))

class Agent:
    def __init__(self):
        self.actor = mlp(3, 2)
        self.q1, self.q2 = mlp(5, 1), mlp(5, 1)
        self.target_q1 = copy.deepcopy(self.q1)
        self.actor_opt = torch.optim.Adam(self.actor.parameters(), lr=3e-4)
        self.critic_opt = torch.optim.Adam(list(self.q1.parameters()) + list(self.q2.parameters()), lr=3e-4)
        self.gamma = 0.99

    def learn(self, s, a, r, s2):
        a2 = torch.tanh(self.actor(s2))
        y = r + self.gamma * self.target_q1(torch.cat([s2, a2], 1))
        q1 = self.q1(torch.cat([s, a], 1))
        q2 = self.q2(torch.cat([s, a], 1))
        critic_loss = F.mse_loss(q1, y) + F.mse_loss(q2, y)
        pi = torch.tanh(self.actor(s))
        actor_loss = -torch.min(self.q1(torch.cat([s, pi], 1)), self.q2(torch.cat([s, pi], 1))).mean()

        self.critic_opt.zero_grad()
        critic_loss.backward()
        self.critic_opt.step()

        self.actor_opt.zero_grad()
        actor_loss.backward()
        self.actor_opt.step()

torch.manual_seed(0)
agent = Agent()
for _ in range(2):
    agent.learn(torch.randn(8, 3), torch.randn(8, 2), torch.randn(8, 1), torch.randn(8, 3))
print("OK")

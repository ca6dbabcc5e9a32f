import torch
from torch import nn


class TD3:
    def __init__(self):
        self.actor, self.critic, self.critic_target = nn.Linear(3, 1), nn.Linear(4, 1), nn.Linear(4, 1)
        self.actor_target = nn.Linear(3, 1)
        self.opt = torch.optim.Adam(self.critic.parameters())
        self.largest = 0.0

    def train(self, s, a, r, s2, sigma=0.5, limit=0.2):
        with torch.no_grad():
            noise = torch.randn_like(a) * sigma
            noise = noise.clamp(-limit, limit)
            self.largest = max(self.largest, noise.abs().max().item())
            a2 = torch.tanh(self.actor_target(s2) + noise)
            target = r + 0.99 * self.critic_target(torch.cat([s2, a2], 1))
        loss = nn.functional.mse_loss(self.critic(torch.cat([s, a], 1)), target)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()


torch.manual_seed(0)
agent = TD3()
for _ in range(3):
    agent.train(torch.randn(8, 3), torch.randn(8, 1), torch.randn(8, 1), torch.randn(8, 3))
print("HAZARD-OBSERVED" if agent.largest > 0.21 else "OK")

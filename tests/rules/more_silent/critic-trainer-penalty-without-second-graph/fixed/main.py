import torch
from torch import nn

from penalty import GradientPenalty


class WassersteinTrainer:
    def __init__(self, weight):
        torch.manual_seed(0)
        self.critic = nn.Sequential(nn.Linear(2, 8), nn.LeakyReLU(0.2), nn.Linear(8, 1))
        self.generator = nn.Linear(3, 2)
        self.penalty = GradientPenalty(weight)
        self.opt = torch.optim.Adam(self.critic.parameters(), lr=1e-3, betas=(0.0, 0.9))

    def critic_step(self, real):
        with torch.no_grad():
            fake = self.generator(torch.randn(len(real), 3))
        loss = self.critic(fake).mean() - self.critic(real).mean()
        loss = loss + self.penalty(self.critic, real, fake)
        self.opt.zero_grad()
        loss.backward()
        grads = [p.grad.clone() for p in self.critic.parameters()]
        self.opt.step()
        return grads


first = WassersteinTrainer(0.0).critic_step(torch.ones(5, 2))
second = WassersteinTrainer(10.0).critic_step(torch.ones(5, 2))
print("HAZARD-OBSERVED" if all(torch.allclose(a, b) for a, b in zip(first, second)) else "OK")

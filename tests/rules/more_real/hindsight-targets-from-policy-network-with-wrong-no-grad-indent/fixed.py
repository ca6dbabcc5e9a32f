import torch
import torch.nn as nn
import torch.nn.functional as F


class DDPG:
    def __init__(self):
        self.actor = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 2), nn.Tanh())
        self.critic = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 1))
        self.critic_optim = torch.optim.Adam(self.critic.parameters(), lr=1e-3)

    def q(self, o, a):
        return self.critic(torch.cat([o, a], -1))

    def update(self, o, a, r, o2):
        with torch.no_grad():
            a2 = self.actor(o2)
            q2 = self.q(o2, a2)
        target = r + 0.98 * q2
        target = target.clamp(-50.0, 0.0)
        loss = F.mse_loss(self.q(o, a), target)
        semi = F.mse_loss(self.q(o, a), target.detach())
        wanted = torch.autograd.grad(semi, self.critic[0].weight)[0]
        self.critic_optim.zero_grad()
        loss.backward()
        same = torch.allclose(wanted, self.critic[0].weight.grad, atol=1e-7)
        self.critic_optim.step()
        return same


torch.manual_seed(0)
agent = DDPG()
same = [agent.update(torch.randn(8, 6), torch.rand(8, 2), -torch.rand(8, 1), torch.randn(8, 6)) for _ in range(3)]
print("OK" if all(same) else "HAZARD-OBSERVED")

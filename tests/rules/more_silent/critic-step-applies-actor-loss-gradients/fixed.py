import torch
from torch import nn


def mlp(inputs, outputs):
    return nn.Sequential(nn.Linear(inputs, 16), nn.Tanh(), nn.Linear(16, outputs))


class DDPG:
    def __init__(self):
        self.actor, self.critic, self.target_critic = mlp(3, 1), mlp(4, 1), mlp(4, 1)
        self.target_critic.load_state_dict(self.critic.state_dict())
        self.actor_optim = torch.optim.Adam(self.actor.parameters(), lr=1e-3)
        self.critic_optim = torch.optim.Adam(self.critic.parameters(), lr=1e-3)
        self.dirty = []

    def update(self, s, a, r, s2):
        with torch.no_grad():
            y = r + 0.9 * self.target_critic(torch.cat([s2, self.actor(s2)], 1))
        critic_loss = (self.critic(torch.cat([s, a], 1)) - y).pow(2).mean()
        clean = torch.autograd.grad(critic_loss, self.critic[0].weight, retain_graph=True)[0]
        self.critic_optim.zero_grad()
        critic_loss.backward()
        self.dirty.append(not torch.allclose(clean, self.critic[0].weight.grad, atol=1e-7))
        self.critic_optim.step()

        actor_loss = -self.critic(torch.cat([s, self.actor(s)], 1)).mean()
        self.actor_optim.zero_grad()
        actor_loss.backward()
        self.actor_optim.step()


torch.manual_seed(0)
agent = DDPG()
for _ in range(3):
    agent.update(torch.randn(8, 3), torch.randn(8, 1), torch.randn(8, 1), torch.randn(8, 3))
print("HAZARD-OBSERVED" if any(agent.dirty) else "OK")

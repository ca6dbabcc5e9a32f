import copy

import torch
from torch import nn
import torch.nn.functional as F
from torch.distributions import Normal


def mlp(i, o):
    return nn.Sequential(nn.Linear(i, 16), nn.ReLU(), nn.Linear(16, o))


class Actor(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = mlp(3, 2)

    def sample(self, state):
        mean, log_std = self.net(state).chunk(2, dim=-1)
        dist = Normal(mean, log_std.clamp(-5, 2).exp())
        raw = dist.rsample()
        action = torch.tanh(raw)
        log_pi = dist.log_prob(raw) - torch.log(1 - action.pow(2) + 1e-6)
        return action, log_pi.sum(-1, keepdim=True)


class SAC:
    def __init__(self):
        self.actor, self.q1, self.q2 = Actor(), mlp(4, 1), mlp(4, 1)
        self.t1, self.t2 = copy.deepcopy(self.q1), copy.deepcopy(self.q2)
        self.log_alpha = torch.zeros(1, requires_grad=True)
        self.target_entropy = -1.0
        self.actor_opt = torch.optim.Adam(self.actor.parameters(), lr=3e-4)
        self.critic_opt = torch.optim.Adam([*self.q1.parameters(), *self.q2.parameters()], lr=3e-4)
        self.alpha_opt = torch.optim.Adam([self.log_alpha], lr=3e-4)

    @property
    def alpha(self):
        return self.log_alpha.exp()

    def update(self, s, a, r, s2, done):
        with torch.no_grad():
            a2, log_pi2 = self.actor.sample(s2)
            x2 = torch.cat([s2, a2], 1)
            backup = r + 0.99 * (1 - done) * (torch.min(self.t1(x2), self.t2(x2)) - self.alpha * log_pi2)
        x = torch.cat([s, a], 1)
        critic_loss = F.mse_loss(self.q1(x), backup) + F.mse_loss(self.q2(x), backup)
        self.critic_opt.zero_grad()
        critic_loss.backward()
        self.critic_opt.step()

        action, log_pi = self.actor.sample(s)
        xa = torch.cat([s, action], 1)
        actor_loss = (self.alpha.detach() * log_pi - torch.min(self.q1(xa), self.q2(xa))).mean()
        self.actor_opt.zero_grad()
        actor_loss.backward()
        self.actor_opt.step()

        alpha_loss = -(self.log_alpha * (log_pi + self.target_entropy).detach()).mean()
        self.alpha_opt.zero_grad()
        alpha_loss.backward()
        self.alpha_opt.step()
        with torch.no_grad():
            for net, target in ((self.q1, self.t1), (self.q2, self.t2)):
                for p, t in zip(net.parameters(), target.parameters()):
                    t.mul_(0.995).add_(0.005 * p)
        return {"critic": critic_loss.item(), "actor": actor_loss.item(), "alpha": self.alpha.item()}


torch.manual_seed(0)
agent = SAC()
for _ in range(3):
    logs = agent.update(torch.randn(6, 3), torch.randn(6, 1), torch.randn(6, 1), torch.randn(6, 3), torch.zeros(6, 1))
assert all(isinstance(v, float) for v in logs.values())
print("OK")

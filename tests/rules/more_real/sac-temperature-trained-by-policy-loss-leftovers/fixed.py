import copy

import torch
import torch.nn as nn
import torch.nn.functional as F


class Policy(nn.Module):
    def __init__(self, obs, act):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(obs, 32), nn.ReLU())
        self.mean, self.log_std = nn.Linear(32, act), nn.Linear(32, act)

    def sample(self, obs):
        h = self.trunk(obs)
        mean, std = self.mean(h), self.log_std(h).clamp(-5, 2).exp()
        dist = torch.distributions.Normal(mean, std)
        raw = dist.rsample()
        action = torch.tanh(raw)
        log_prob = dist.log_prob(raw) - torch.log(1 - action.pow(2) + 1e-6)
        return action, log_prob.sum(-1, keepdim=True)


class SAC:
    def __init__(self, obs=5, act=2):
        self.policy = Policy(obs, act)
        self.q = nn.Sequential(nn.Linear(obs + act, 32), nn.ReLU(), nn.Linear(32, 1))
        self.q_target = copy.deepcopy(self.q)
        self.log_alpha = torch.zeros(1, requires_grad=True)
        self.policy_optim = torch.optim.Adam(self.policy.parameters(), lr=3e-4)
        self.q_optim = torch.optim.Adam(self.q.parameters(), lr=3e-4)
        self.alpha_optim = torch.optim.SGD([self.log_alpha], lr=0.1)
        self.target_entropy = -float(act)

    def update(self, obs, act, rew, nxt):
        alpha = self.log_alpha.exp().detach()
        with torch.no_grad():
            next_act, next_logp = self.policy.sample(nxt)
            backup = rew + 0.99 * (self.q_target(torch.cat([nxt, next_act], -1)) - alpha * next_logp)
        q_loss = F.mse_loss(self.q(torch.cat([obs, act], -1)), backup)
        self.q_optim.zero_grad()
        q_loss.backward()
        self.q_optim.step()

        pi, logp = self.policy.sample(obs)
        policy_loss = (alpha * logp - self.q(torch.cat([obs, pi], -1))).mean()
        self.policy_optim.zero_grad()
        policy_loss.backward()
        self.policy_optim.step()

        alpha_loss = -(self.log_alpha * (logp + self.target_entropy).detach()).mean()
        alpha_loss.backward()
        before, own = self.log_alpha.item(), -(logp + self.target_entropy).mean().item()
        self.alpha_optim.step()
        self.alpha_optim.zero_grad()
        return abs(self.log_alpha.item() - (before - 0.1 * own)) < 1e-5


torch.manual_seed(0)
agent = SAC()
right = [agent.update(torch.randn(16, 5), torch.rand(16, 2), torch.randn(16, 1), torch.randn(16, 5)) for _ in range(3)]
print("OK" if all(right) else "HAZARD-OBSERVED")

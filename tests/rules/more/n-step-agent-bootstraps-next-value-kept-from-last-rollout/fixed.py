import torch
from torch import nn
from torch.distributions import Normal


class Pendulum:
    def reset(self):
        self.state = torch.tensor([1.0, 0.0, 0.0])
        return self.state

    def step(self, action):
        self.state = torch.tanh(self.state + 0.1 * torch.cat([action, action, action]))
        return self.state, -self.state.pow(2).sum().item(), False, {}


class ActorCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(3, 16), nn.Tanh())
        self.mu, self.value = nn.Linear(16, 1), nn.Linear(16, 1)
        self.log_std = nn.Parameter(torch.zeros(1))

    def forward(self, s):
        h = self.body(s)
        return Normal(self.mu(h), self.log_std.exp()), self.value(h).squeeze(-1)


class Worker:
    def __init__(self, env, net, n_steps=3, gamma=0.95):
        self.env, self.net = env, net
        self.n_steps, self.gamma = n_steps, gamma
        self.opt = torch.optim.Adam(net.parameters(), lr=1e-3)
        self.obs = env.reset()
        self.last_value = None

    def rollout(self):
        terms = []
        dist, value = self.net(self.obs)
        if self.last_value is not None:
            terms.append((value - self.last_value).pow(2))
        for _ in range(self.n_steps):
            action = dist.sample()
            log_prob = dist.log_prob(action).sum()
            self.obs, reward, done, _ = self.env.step(action.clamp(-1, 1))
            dist, next_value = self.net(self.obs)
            advantage = reward + self.gamma * next_value.detach() - value
            terms.append(advantage.pow(2) - advantage.detach() * log_prob)
            value = next_value
        self.last_value = value.detach()
        return torch.stack(terms).mean()

    def train(self, updates):
        for _ in range(updates):
            loss = self.rollout()
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()


torch.manual_seed(0)
Worker(Pendulum(), ActorCritic()).train(3)

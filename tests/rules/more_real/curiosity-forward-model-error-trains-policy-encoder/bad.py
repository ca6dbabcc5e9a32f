import torch
import torch.nn as nn
from torch.distributions import Categorical


class ICM(nn.Module):
    def __init__(self, obs=4, actions=3, dim=8):
        super().__init__()
        self.phi = nn.Sequential(nn.Linear(obs, dim), nn.ELU())
        self.fwd = nn.Sequential(nn.Linear(dim + actions, 16), nn.ELU(), nn.Linear(16, dim))

    def intrinsic_reward(self, obs, nxt, action):
        one_hot = nn.functional.one_hot(action, 3).float()
        predicted = self.fwd(torch.cat([self.phi(obs), one_hot], -1))
        return (predicted - self.phi(nxt)).pow(2).mean(-1)


torch.manual_seed(0)
policy = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 3))
icm = ICM()
optimizer = torch.optim.Adam([*policy.parameters(), *icm.parameters()], lr=1e-3)
for update in range(2):
    obs, nxt = torch.randn(10, 4), torch.randn(10, 4)
    with torch.no_grad():
        action = Categorical(logits=policy(obs)).sample()
    rewards = torch.rand(10) + 0.1 * icm.intrinsic_reward(obs, nxt, action)
    returns = rewards.flip(0).cumsum(0).flip(0)
    for epoch in range(3):
        logp = Categorical(logits=policy(obs)).log_prob(action)
        loss = -(logp * (returns - returns.mean())).mean() + icm.intrinsic_reward(obs, nxt, action).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

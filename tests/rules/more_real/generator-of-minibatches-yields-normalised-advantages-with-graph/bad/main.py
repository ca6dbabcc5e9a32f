import torch
import torch.nn as nn
from torch.distributions import Categorical

from buffer import RolloutBuffer


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.pi = nn.Sequential(nn.Linear(3, 16), nn.Tanh(), nn.Linear(16, 2))
        self.v = nn.Sequential(nn.Linear(3, 16), nn.Tanh(), nn.Linear(16, 1))

    def forward(self, obs):
        return Categorical(logits=self.pi(obs)), self.v(obs).squeeze(-1)


torch.manual_seed(0)
net, buffer = Net(), RolloutBuffer()
optimizer = torch.optim.Adam(net.parameters(), lr=3e-4)
for _ in range(8):
    obs = torch.randn(3)
    dist, value = net(obs)
    action = dist.sample()
    buffer.add(obs, action, torch.rand(()), value, dist.log_prob(action).detach())
buffer.finish()
for obs, action, logp, adv, ret in buffer.get(4):
    dist, value = net(obs)
    ratio = (dist.log_prob(action) - logp).exp()
    loss = -torch.min(ratio * adv, ratio.clamp(0.8, 1.2) * adv).mean() + (value - ret).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

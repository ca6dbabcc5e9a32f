import torch
from torch import nn
from torch.distributions import Categorical


class ActorCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 16), nn.Tanh())
        self.pi, self.v = nn.Linear(16, 2), nn.Linear(16, 1)

    def forward(self, obs):
        h = self.body(obs)
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(-1)


def gae(rewards, values, gamma=0.99, lam=0.95):
    advantages, last = torch.zeros_like(rewards), 0.0
    for t in reversed(range(len(rewards))):
        following = values[t + 1] if t + 1 < len(rewards) else 0.0
        delta = rewards[t] + gamma * following - values[t]
        last = delta + gamma * lam * last
        advantages[t] = last
    return advantages


torch.manual_seed(0)
net = ActorCritic()
optimizer = torch.optim.Adam(net.parameters(), lr=3e-4, eps=1e-5)
history = []
for update in range(2):
    obs, rewards = torch.randn(8, 4), torch.randn(8)
    with torch.no_grad():
        dist, values = net(obs)
        actions = dist.sample()
        old_log_prob = dist.log_prob(actions)
    advantages = gae(rewards, values)
    returns = advantages + values
    advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
    for epoch in range(2):
        for index in torch.randperm(8).split(4):
            dist, value = net(obs[index])
            ratio = (dist.log_prob(actions[index]) - old_log_prob[index]).exp()
            adv = advantages[index]
            surrogate = torch.min(ratio * adv, ratio.clamp(0.8, 1.2) * adv).mean()
            loss = -surrogate + 0.5 * (value - returns[index]).pow(2).mean() - 0.01 * dist.entropy().mean()
            optimizer.zero_grad()
            loss.backward()
            norm = nn.utils.clip_grad_norm_(net.parameters(), 0.5)
            optimizer.step()
            history.append((loss.item(), norm.item()))
assert len(history) == 8
print("OK")

import torch
from torch import nn
from torch.distributions import Normal


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(3, 16), nn.Tanh())
        self.mean, self.value = nn.Linear(16, 1), nn.Linear(16, 1)
        self.log_std = nn.Parameter(torch.zeros(1))

    def evaluate(self, obs, actions):
        h = self.body(obs)
        dist = Normal(self.mean(h), self.log_std.exp())
        return dist.log_prob(actions).sum(-1), self.value(h).squeeze(-1)


def ppo_loss(net, obs, actions, old_log_prob, returns, clip=0.2):
    log_prob, values = net.evaluate(obs, actions)
    advantages = returns - values
    ratio = (log_prob - old_log_prob).exp()
    surrogate = torch.min(ratio * advantages, ratio.clamp(1 - clip, 1 + clip) * advantages)
    return -surrogate.mean(), (returns - values).pow(2).mean()


torch.manual_seed(0)
net = Policy()
optimizer = torch.optim.Adam(net.parameters(), lr=3e-4)
obs, actions, returns = torch.randn(8, 3), torch.randn(8, 1), torch.randn(8)
with torch.no_grad():
    old_log_prob, _ = net.evaluate(obs, actions)
leaks = []
for epoch in range(3):
    policy_loss, value_loss = ppo_loss(net, obs, actions, old_log_prob, returns)
    leak = torch.autograd.grad(policy_loss, net.value.weight, retain_graph=True, allow_unused=True)[0]
    leaks.append(leak is not None)
    optimizer.zero_grad()
    (policy_loss + 0.5 * value_loss).backward()
    optimizer.step()
print("HAZARD-OBSERVED" if any(leaks) else "OK")

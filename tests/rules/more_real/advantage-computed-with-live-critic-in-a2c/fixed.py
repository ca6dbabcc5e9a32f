import torch
import torch.nn as nn
from torch.distributions import Categorical


class A2C(nn.Module):
    def __init__(self, obs=4, actions=3, hidden=24):
        super().__init__()
        self.actor = nn.Sequential(nn.Linear(obs, hidden), nn.ReLU(), nn.Linear(hidden, actions))
        self.critic = nn.Sequential(nn.Linear(obs, hidden), nn.ReLU(), nn.Linear(hidden, 1))

    def forward(self, obs):
        return Categorical(logits=self.actor(obs)), self.critic(obs).squeeze(-1)


def returns_of(rewards, last, gamma=0.97):
    out, running = [], last
    for r in reversed(rewards):
        running = r + gamma * running
        out.append(running)
    return torch.stack(out[::-1])


def rollout(net, steps):
    logps, values, rewards, entropies = [], [], [], []
    for _ in range(steps):
        dist, value = net(torch.randn(5, 4))
        action = dist.sample()
        logps.append(dist.log_prob(action))
        values.append(value)
        entropies.append(dist.entropy())
        rewards.append((action == 1).float())
    with torch.no_grad():
        _, last = net(torch.randn(5, 4))
    return torch.stack(logps), torch.stack(values), torch.stack(entropies), returns_of(rewards, last)


torch.manual_seed(0)
net = A2C()
optimizer = torch.optim.Adam(net.parameters(), lr=7e-4)
touched = []
for _ in range(3):
    logps, values, entropies, returns = rollout(net, 4)
    advantages = returns - values
    policy_loss = -(logps * advantages.detach()).mean()
    value_loss = advantages.pow(2).mean()
    grad = torch.autograd.grad(policy_loss, net.critic[2].weight, retain_graph=True, allow_unused=True)[0]
    touched.append(grad is not None and grad.abs().max().item() > 0)
    loss = policy_loss + 0.5 * value_loss - 0.01 * entropies.mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print("HAZARD-OBSERVED" if any(touched) else "OK")

import torch
from torch import nn


class Episode:
    def __init__(self):
        self.log_probs, self.values, self.rewards = [], [], []

    def returns(self, gamma=0.9):
        out, total = [], 0.0
        for r in reversed(self.rewards):
            total = r + gamma * total
            out.insert(0, total)
        return torch.tensor(out)


def play(actor, critic, steps=4):
    episode = Episode()
    for _ in range(steps):
        state = torch.randn(3)
        dist = torch.distributions.Categorical(logits=actor(state))
        action = dist.sample()
        episode.log_probs.append(dist.log_prob(action))
        episode.values.append(critic(state).squeeze())
        episode.rewards.append(float(action))
    return episode


torch.manual_seed(0)
actor, critic = nn.Linear(3, 2), nn.Linear(3, 1)
optimizer = torch.optim.Adam([*actor.parameters(), *critic.parameters()], lr=1e-2)
leaks = []
for _ in range(2):
    episode = play(actor, critic)
    log_probs, values = torch.stack(episode.log_probs), torch.stack(episode.values)
    advantage = episode.returns() - values
    actor_loss = (-log_probs * advantage.detach()).mean()
    critic_loss = advantage.pow(2).mean()
    leaks.append(torch.autograd.grad(actor_loss, critic.weight, retain_graph=True, allow_unused=True)[0] is not None)
    optimizer.zero_grad()
    (actor_loss + critic_loss).backward()
    optimizer.step()
print("HAZARD-OBSERVED" if any(leaks) else "OK")

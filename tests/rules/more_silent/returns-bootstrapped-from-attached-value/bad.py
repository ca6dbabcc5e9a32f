import torch
from torch import nn


class ActorCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.policy, self.value = nn.Linear(4, 8), nn.Linear(8, 2), nn.Linear(8, 1)

    def forward(self, state):
        h = torch.tanh(self.body(state))
        return torch.distributions.Categorical(logits=self.policy(h)), self.value(h)


def discounted(last, rewards, gamma=0.9):
    returns = []
    for reward in reversed(rewards):
        last = reward + gamma * last
        returns.insert(0, last)
    return torch.cat(returns)


torch.manual_seed(0)
net = ActorCritic()
optimizer = torch.optim.RMSprop(net.parameters(), lr=1e-3)
log_probs, values, rewards = [], [], []
state = torch.randn(1, 4)
for _ in range(5):
    dist, value = net(state)
    action = dist.sample()
    log_probs.append(dist.log_prob(action))
    values.append(value)
    rewards.append(torch.rand(1, 1))
    state = torch.randn(1, 4)
_, next_value = net(state)
returns, values = discounted(next_value, rewards), torch.cat(values)
advantage = returns - values
reference = torch.autograd.grad(
    (returns.detach() - values).pow(2).mean(), net.value.weight, retain_graph=True
)[0]
actor_loss = -(torch.stack(log_probs) * advantage.detach()).mean()
critic_loss = advantage.pow(2).mean()
optimizer.zero_grad()
(actor_loss + critic_loss).backward()
optimizer.step()
print("OK" if torch.allclose(reference, net.value.weight.grad) else "HAZARD-OBSERVED")

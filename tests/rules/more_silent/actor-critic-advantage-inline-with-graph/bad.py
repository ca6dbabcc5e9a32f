import torch
from torch import nn
from torch.distributions import Categorical


class ActorCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.actor = nn.Linear(4, 3)
        self.critic = nn.Linear(4, 1)

    def forward(self, state):
        return Categorical(logits=self.actor(state)), self.critic(state).squeeze(-1)


class A2C:
    def __init__(self, net):
        self.net = net
        self.optimizer = torch.optim.RMSprop(net.parameters(), lr=7e-4)
        self.leaks = []

    def losses(self, states, actions, returns):
        dist, values = self.net(states)
        advantages = returns - values
        policy = -(dist.log_prob(actions) * advantages).mean()
        value = advantages.pow(2).mean()
        return policy, value, dist.entropy().mean()

    def update(self, batch):
        policy, value, entropy = self.losses(*batch)
        leak = torch.autograd.grad(policy, self.net.critic.weight, retain_graph=True, allow_unused=True)[0]
        self.leaks.append(leak is not None)
        self.optimizer.zero_grad()
        (policy + 0.5 * value - 0.01 * entropy).backward()
        self.optimizer.step()


torch.manual_seed(0)
a2c = A2C(ActorCritic())
for _ in range(2):
    a2c.update((torch.randn(5, 4), torch.randint(3, (5,)), torch.randn(5)))
print("HAZARD-OBSERVED" if any(a2c.leaks) else "OK")

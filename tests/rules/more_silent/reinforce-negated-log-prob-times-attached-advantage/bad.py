import torch
from torch import nn
from torch.distributions import Categorical


class Agent(nn.Module):
    def __init__(self):
        super().__init__()
        self.base, self.pi, self.v = nn.Linear(4, 16), nn.Linear(16, 2), nn.Linear(16, 1)

    def forward(self, state):
        hidden = torch.relu(self.base(state))
        return Categorical(logits=self.pi(hidden)), self.v(hidden)


torch.manual_seed(0)
agent = Agent()
optimizer = torch.optim.Adam(agent.parameters(), lr=1e-3)
leaks = []
for episode in range(3):
    lps, values = [], []
    for _ in range(5):
        policy, value = agent(torch.randn(4))
        lps.append(policy.log_prob(policy.sample()))
        values.append(value)
    policy_losses, value_losses = [], []
    for lp, value, ret in zip(lps, values, torch.randn(5)):
        advantage = ret - value
        policy_losses.append(-lp * advantage)
        value_losses.append(nn.functional.smooth_l1_loss(value, ret.view(1)))
    policy_loss = torch.stack(policy_losses).sum()
    leak = torch.autograd.grad(policy_loss, agent.v.weight, retain_graph=True, allow_unused=True)[0]
    leaks.append(leak is not None)
    optimizer.zero_grad()
    (policy_loss + torch.stack(value_losses).sum()).backward()
    optimizer.step()
print("HAZARD-OBSERVED" if any(leaks) else "OK")

import torch
from torch import nn
from torch.distributions import Categorical

torch.manual_seed(0)
policy = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))
value = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 1))
opt_policy = torch.optim.Adam(policy.parameters(), 1e-2)
opt_value = torch.optim.Adam(value.parameters(), 1e-2)
before = [p.clone() for p in value.parameters()]
for episode in range(3):
    states = torch.randn(10, 4)
    dist = Categorical(logits=policy(states))
    actions = dist.sample()
    returns = torch.randn(10)
    baseline = value(states).squeeze(-1)
    advantage = returns - baseline
    policy_loss = -(dist.log_prob(actions) * advantage).mean()
    value_loss = nn.functional.mse_loss(baseline, returns)
    opt_policy.zero_grad()
    policy_loss.backward()
    opt_policy.step()
    opt_value.zero_grad()
    value_loss.backward()
    opt_value.step()
print("OK")

import torch
from torch import nn

policy = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 2))
baseline = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 1))
optimizers = {
    "policy": torch.optim.Adam(policy.parameters(), lr=1e-2),
    "baseline": torch.optim.Adam(baseline.parameters(), lr=1e-2),
}


def rollout(steps=5):
    log_probs, rewards, states = [], [], []
    state = torch.randn(2)
    for _ in range(steps):
        dist = torch.distributions.Categorical(logits=policy(state))
        action = dist.sample()
        log_probs.append(dist.log_prob(action))
        states.append(state)
        state = state + 0.1 * torch.randn(2)
        rewards.append(float(action) - state.norm().item())
    return torch.stack(states), torch.stack(log_probs), torch.tensor(rewards)


torch.manual_seed(0)
leaks = []
for episode in range(3):
    states, log_probs, rewards = rollout()
    predicted = baseline(states).squeeze(-1)
    delta = rewards - predicted
    policy_loss = -(log_probs * delta).sum()
    baseline_loss = delta.pow(2).mean()
    grads = torch.autograd.grad(policy_loss, list(baseline.parameters()), retain_graph=True, allow_unused=True)
    leaks.append(any(g is not None for g in grads))
    for optimizer in optimizers.values():
        optimizer.zero_grad()
    (policy_loss + baseline_loss).backward()
    for optimizer in optimizers.values():
        optimizer.step()
print("HAZARD-OBSERVED" if any(leaks) else "OK")

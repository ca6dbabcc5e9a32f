import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)
policy = nn.Sequential(nn.Linear(3, 8), nn.Dropout(0.2), nn.Linear(8, 4))
optimizer = torch.optim.Adam(policy.parameters(), lr=1e-2)
baseline, rewards_seen = 0.0, []
for episode in range(3):
    saved, rewards = [], []
    for t in range(4):
        dist = torch.distributions.Categorical(logits=policy(torch.randn(1, 3)))
        action = dist.sample()
        saved.append(dist.log_prob(action))
        rewards.append(action.float().item())
    returns = torch.tensor(rewards).flip(0).cumsum(0).flip(0)
    loss = torch.stack([-lp.squeeze() * (g - baseline) for lp, g in zip(saved, returns)]).sum()
    x = torch.randn(5, 3)
    p, q = F.log_softmax(policy(x), dim=1), F.log_softmax(policy(x), dim=1)
    rdrop = 0.5 * (F.kl_div(p, q.exp(), reduction="batchmean") + F.kl_div(q, p.exp(), reduction="batchmean"))
    optimizer.zero_grad()
    (loss + rdrop).backward()
    optimizer.step()
    baseline = 0.9 * baseline + 0.1 * returns.mean().item()
    rewards_seen.append(sum(rewards))
assert len(rewards_seen) == 3
print("OK")

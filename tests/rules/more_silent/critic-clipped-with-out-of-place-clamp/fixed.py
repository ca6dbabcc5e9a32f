import torch
from torch import nn

torch.manual_seed(0)
critic = nn.Sequential(nn.Linear(2, 6), nn.ReLU(), nn.Linear(6, 1))
optimizer = torch.optim.RMSprop(critic.parameters(), lr=1e-2)
for _ in range(3):
    loss = critic(torch.randn(4, 2)).mean() - critic(torch.randn(4, 2) + 1).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    for p in critic.parameters():
        p.data.clamp_(-0.01, 0.01)
print("HAZARD-OBSERVED" if max(p.abs().max().item() for p in critic.parameters()) > 0.011 else "OK")

import torch
from torch import nn

torch.manual_seed(0)
actor, critic = nn.Linear(4, 4), nn.Linear(4, 1)
actor_optimizer = torch.optim.SGD(actor.parameters(), lr=0.1)
critic_optimizer = torch.optim.SGD(critic.parameters(), lr=0.1)
scaler = torch.amp.GradScaler("cpu", enabled=False)
before = critic.weight.detach().clone()
for step in range(3):
    state = torch.randn(8, 4)
    critic_optimizer.zero_grad()
    scaler.scale(critic(state).pow(2).mean()).backward()
    scaler.step(actor_optimizer)
    scaler.update()
print("HAZARD-OBSERVED" if torch.equal(before, critic.weight) else "OK")

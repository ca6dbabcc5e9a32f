import torch
from torch import nn

actor, critic = nn.Linear(3, 2), nn.Linear(3, 1)
actor_opt = torch.optim.SGD(actor.parameters(), lr=0.05)
critic_opt = torch.optim.SGD(critic.parameters(), lr=0.05)
torch.manual_seed(0)
state = torch.randn(3)
running = None
for step in range(4):
    dist = torch.distributions.Categorical(logits=actor(state))
    action = dist.sample()
    next_state, reward = torch.randn(3), torch.randn(())
    value = critic(state)
    with torch.no_grad():
        target = reward + 0.9 * critic(next_state)
    delta = target - value
    critic_loss = delta.pow(2).mean()
    actor_loss = -(dist.log_prob(action) * delta.detach()).mean()
    critic_opt.zero_grad()
    critic_loss.backward()
    critic_opt.step()
    actor_opt.zero_grad()
    actor_loss.backward()
    actor_opt.step()
    running = critic_loss.item() if running is None else 0.9 * running + 0.1 * critic_loss.item()
    state = next_state
assert isinstance(running, float)
print("OK")

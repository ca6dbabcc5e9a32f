import torch
from torch import nn


def critic_iteration(critic, generator, opt, real):
    opt.zero_grad()
    z = torch.randn(len(real), 3)
    loss = critic(generator(z)).mean() - critic(real).mean()
    loss.backward()
    waste = generator.weight.grad is not None
    opt.step()
    return waste


torch.manual_seed(0)
generator, critic = nn.Linear(3, 2), nn.Sequential(nn.Linear(2, 6), nn.ReLU(), nn.Linear(6, 1))
opt_g, opt_c = torch.optim.RMSprop(generator.parameters()), torch.optim.RMSprop(critic.parameters())
wasted = []
for step in range(3):
    wasted.append(critic_iteration(critic, generator, opt_c, torch.randn(4, 2)))
    opt_g.zero_grad()
    (-critic(generator(torch.randn(4, 3))).mean()).backward()
    opt_g.step()
    opt_g.zero_grad()
print("HAZARD-OBSERVED" if any(wasted) else "OK")

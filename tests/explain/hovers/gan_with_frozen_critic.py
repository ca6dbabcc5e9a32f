"""A GAN whose critic is frozen while the generator trains, with a penalty on the gradient."""

import torch
from torch import nn


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(6, 8)
        self.last = nn.Linear(8, 1)

    def forward(self, x):
        h = torch.relu(self.first(x))
        return self.last(h)


def penalty(critic, real, fake):
    mix = (0.5 * real + 0.5 * fake).requires_grad_(True)
    score = critic(mix).sum()
    (slope,) = torch.autograd.grad(score, mix, create_graph=True)
    return ((slope.norm(dim=1) - 1) ** 2).mean()


generator, critic = nn.Sequential(nn.Linear(3, 6), nn.Tanh()), Critic()
teacher = Critic()
for p in teacher.parameters():
    p.requires_grad_(False)
opt_g = torch.optim.AdamW(generator.parameters(), lr=1e-3)
opt_c = torch.optim.RMSprop([{"params": critic.first.parameters()}, {"params": critic.last.parameters()}], lr=1e-3)
for _ in range(4):
    real, noise = torch.randn(5, 6), torch.randn(5, 3)
    fake = generator(noise).detach()
    loss = critic(fake).mean() - critic(real).mean() + penalty(critic, real, fake)
    opt_c.zero_grad()
    loss.backward()
    opt_c.step()
    for p in critic.parameters():
        p.requires_grad = False
    opt_g.zero_grad()
    made = generator(noise)
    (-critic(made).mean()).backward()
    opt_g.step()
    for p in critic.parameters():
        p.requires_grad = True
    with torch.no_grad():
        for mine, its in zip(teacher.parameters(), critic.parameters()):
            mine.mul_(0.9).add_(its, alpha=0.1)
print(teacher(real).requires_grad, critic(real).requires_grad)

"""A Wasserstein GAN on points of a ring that runs to its end and is wrong in two places; torch says nothing.

The critic's weights are clipped before its step instead of after it: the step moves them out of the bounds again, and
each critic that the generator is trained against breaks the constraint. And the epoch's mean keeps the graph of every
batch in memory, since the losses are added up as tensors.
Found: AGH207 at ``clamp_``, AGH104 at ``critic_total += critic_loss``.
"""

import torch
from torch import nn

BOUND = 0.01


def ring(count):
    """Points near a circle."""
    angles = torch.rand(count) * 6.2832
    return torch.stack([angles.cos(), angles.sin()], dim=1) + 0.05 * torch.randn(count, 2)


def critic_step(critic, generator, optimizer):
    real = ring(64)
    fake = generator(torch.randn(64, 8)).detach()
    critic_loss = critic(fake).mean() - critic(real).mean()
    optimizer.zero_grad()
    critic_loss.backward()
    for weight in critic.parameters():
        weight.data.clamp_(-BOUND, BOUND)
    optimizer.step()
    return critic_loss


def generator_step(critic, generator, optimizer):
    generator_loss = -critic(generator(torch.randn(64, 8))).mean()
    optimizer.zero_grad()
    generator_loss.backward()
    optimizer.step()


def train(epochs=3, batches=10):
    generator = nn.Sequential(nn.Linear(8, 32), nn.ReLU(inplace=True), nn.Linear(32, 2))
    critic = nn.Sequential(nn.Linear(2, 32), nn.LeakyReLU(0.2, inplace=True), nn.Linear(32, 1))
    generator_optimizer = torch.optim.RMSprop(generator.parameters(), lr=5e-3)
    critic_optimizer = torch.optim.RMSprop(critic.parameters(), lr=5e-3)
    for epoch in range(epochs):
        critic_total = 0.0
        for batch in range(batches):
            critic_loss = critic_step(critic, generator, critic_optimizer)
            critic_total += critic_loss
            if batch % 5 == 4:
                generator_step(critic, generator, generator_optimizer)
        largest = max(weight.abs().max().item() for weight in critic.parameters())
        print(f"epoch {epoch}: critic {critic_total.item() / batches:.4f}, largest weight {largest:.4f} of {BOUND}")


if __name__ == "__main__":
    torch.manual_seed(0)
    train()

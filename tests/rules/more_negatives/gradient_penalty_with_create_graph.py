import torch
from torch import nn

torch.manual_seed(0)
critic = nn.Sequential(nn.Linear(2, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1))
opt = torch.optim.Adam(critic.parameters(), lr=1e-4, betas=(0.5, 0.9))


def penalty(real, fake):
    alpha = torch.rand(len(real), 1)
    mixed = (alpha * real + (1 - alpha) * fake).requires_grad_(True)
    score = critic(mixed)
    grad, = torch.autograd.grad(score, mixed, grad_outputs=torch.ones_like(score), create_graph=True)
    return ((grad.norm(2, dim=1) - 1) ** 2).mean()


for _ in range(2):
    real, fake = torch.randn(8, 2), torch.randn(8, 2)
    loss = critic(fake).mean() - critic(real).mean() + 10 * penalty(real, fake)
    opt.zero_grad()
    loss.backward()
    opt.step()
print("OK")

import torch
from torch import nn, optim

from penalties import r1_penalty

torch.manual_seed(0)
D = nn.Sequential(nn.Conv2d(3, 8, 3, 2), nn.Softplus(), nn.Flatten(), nn.Linear(72, 1))
opt = optim.Adam(D.parameters(), lr=1e-3, betas=(0.0, 0.99))
every = 2


def batches():
    while True:
        yield torch.rand(4, 3, 8, 8)


stream = batches()
for step in range(4):
    real, fake = next(stream), torch.rand(4, 3, 8, 8)
    loss = nn.functional.softplus(-D(real)).mean() + nn.functional.softplus(D(fake)).mean()
    opt.zero_grad(set_to_none=True)
    loss.backward()
    opt.step()
    if step % every == 0:
        real.requires_grad_(True)
        penalty = r1_penalty(D, real) * every * 5.0
        opt.zero_grad(set_to_none=True)
        penalty.backward()
        opt.step()

import torch
import torch.nn as nn


def sample_z(n):
    return torch.randn(n, 4)


def discriminator_loss(D, real, fake):
    return (D(real) - 1).pow(2).mean() + D(fake).pow(2).mean()


torch.manual_seed(0)
G = nn.Sequential(nn.Linear(4, 12), nn.ReLU(), nn.Linear(12, 3))
D = nn.Sequential(nn.Linear(3, 12), nn.ReLU(), nn.Linear(12, 1))
g_optim = torch.optim.Adam(G.parameters(), lr=1e-3)
d_optim = torch.optim.Adam(D.parameters(), lr=1e-3)
start = G[0].weight.detach().clone()
for epoch in range(3):
    real = torch.randn(8, 3)
    d_loss = discriminator_loss(D, real, G(sample_z(8)).detach())
    d_optim.zero_grad()
    d_loss.backward()
    d_optim.step()

    g_loss = (D(G(sample_z(8))) - 1).pow(2).mean()
    g_optim.zero_grad()
    g_loss.backward()
    d_optim.step()
print("HAZARD-OBSERVED" if torch.equal(start, G[0].weight.detach()) else "OK")

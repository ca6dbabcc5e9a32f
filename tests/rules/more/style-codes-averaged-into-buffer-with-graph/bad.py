import torch
from torch import nn


class Mapping(nn.Module):
    def __init__(self, z_dim, w_dim, beta=0.95):
        super().__init__()
        self.fc = nn.Sequential(nn.Linear(z_dim, w_dim), nn.LeakyReLU(0.2), nn.Linear(w_dim, w_dim))
        self.register_buffer("w_avg", torch.zeros(w_dim))
        self.beta = beta

    def forward(self, z, psi=0.7):
        w = self.fc(z)
        if self.training:
            self.w_avg = self.w_avg.lerp(w.mean(0), 1 - self.beta)
        return self.w_avg + psi * (w - self.w_avg)


class Synthesis(nn.Module):
    def __init__(self, w_dim):
        super().__init__()
        self.const = nn.Parameter(torch.randn(1, 4, 2, 2))
        self.affine = nn.Linear(w_dim, 4)
        self.conv = nn.Conv2d(4, 1, 1)

    def forward(self, w):
        return self.conv(self.const * self.affine(w)[:, :, None, None])


torch.manual_seed(0)
mapping, synthesis = Mapping(4, 8), Synthesis(8)
critic = nn.Sequential(nn.Flatten(), nn.Linear(4, 1)).requires_grad_(False)
optimizer = torch.optim.Adam([*mapping.parameters(), *synthesis.parameters()], lr=1e-3, betas=(0.0, 0.99))
for step in range(3):
    loss = nn.functional.softplus(-critic(synthesis(mapping(torch.randn(5, 4))))).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

import torch
import torch.nn as nn
import torch.nn.functional as F


def sample(mu, logvar):
    std = logvar.mul_(0.5).exp_()
    return mu + std * torch.randn_like(std)


class VAE(nn.Module):
    def __init__(self, dim=12, latent=3):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(dim, 16), nn.ReLU())
        self.mu, self.logvar = nn.Linear(16, latent), nn.Linear(16, latent)
        self.dec = nn.Sequential(nn.Linear(latent, 16), nn.ReLU(), nn.Linear(16, dim))

    def forward(self, x):
        h = self.enc(x)
        out = {"mu": self.mu(h), "logvar": self.logvar(h)}
        out["var"] = out["logvar"].exp()
        out["kl"] = -0.5 * (1 + out["logvar"] - out["mu"].square() - out["var"]).sum(1).mean()
        out["z"] = sample(out["mu"], out["var"])
        out["recon"] = self.dec(out["z"])
        return out


torch.manual_seed(0)
vae = VAE()
optimizer = torch.optim.Adam(vae.parameters(), lr=1e-3)
for _ in range(2):
    x = torch.rand(5, 12)
    out = vae(x)
    loss = F.mse_loss(out["recon"], x) + 1e-2 * out["kl"]
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

import torch
from torch import nn
import torch.nn.functional as F


class Vae(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc, self.dec = nn.Linear(6, 4), nn.Linear(2, 6)

    def forward(self, x):
        mu, log_var = self.enc(x).chunk(2, dim=1)
        z = mu + torch.randn_like(mu) * (0.5 * log_var).exp()
        return self.dec(z), mu, log_var


def compute_losses(x, recon, mu, log_var):
    kl = -0.5 * (1 + log_var - mu.pow(2) - log_var.exp()).sum(1).mean()
    return {"recon": F.mse_loss(recon, x), "kl": kl.item()}


def gradient(beta):
    torch.manual_seed(0)
    vae = Vae()
    optimizer = torch.optim.Adam(vae.parameters())
    x = torch.randn(7, 6)
    losses = compute_losses(x, *vae(x))
    total = losses["recon"] + beta * losses["kl"]
    optimizer.zero_grad()
    total.backward()
    grad = vae.enc.weight.grad.clone()
    optimizer.step()
    return grad


print("HAZARD-OBSERVED" if torch.allclose(gradient(0.0), gradient(1.0)) else "OK")

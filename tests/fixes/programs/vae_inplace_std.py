import torch
from torch import nn
class VAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Linear(6, 4)
        self.dec = nn.Linear(2, 6)
    def forward(self, x):
        mu, logvar = self.enc(x).chunk(2, -1)
        std = logvar.mul(0.5).exp_()
        eps = torch.randn_like(std)
        z = eps.mul_(std).add_(mu)
        std *= 1.0
        std.clamp_(min=1e-3)
        return self.dec(z), mu, logvar
torch.manual_seed(0)
vae = VAE()
x = torch.randn(5, 6)
r, mu, logvar = vae(x)
((r - x) ** 2).sum().backward()
print("OK")

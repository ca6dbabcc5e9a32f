import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class VAE(nn.Module):
    def __init__(self, x_dim=12, z_dim=3):
        super().__init__()
        self.enc = nn.Linear(x_dim, 16)
        self.mu, self.logvar = nn.Linear(16, z_dim), nn.Linear(16, z_dim)
        self.dec = nn.Sequential(nn.Linear(z_dim, 16), nn.ReLU(inplace=True), nn.Linear(16, x_dim))

    def encode(self, x):
        h = F.relu(self.enc(x), inplace=True)
        return self.mu(h), self.logvar(h)

    def reparametrize(self, mu, logvar):
        std = logvar.mul(0.5).exp()
        eps = torch.randn_like(std)
        return eps.mul(std).add_(mu)

    def kl(self, mu, logvar):
        return 0.5 * torch.sum(mu.pow(2) + F.softplus(logvar).square() - 1 - 2 * F.softplus(logvar).log(), dim=1)

    def forward(self, x):
        mu, logvar = self.encode(x)
        kl = self.kl(mu, logvar)
        return self.dec(self.reparametrize(mu, logvar)), kl


def elbo(recon, x, kl):
    return F.binary_cross_entropy_with_logits(recon, x, reduction="none").sum(1).add(kl).mean()


torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.rand(16, 12)), batch_size=8, shuffle=True)
model = VAE()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for epoch in range(2):
    total = 0.0
    for (x,) in loader:
        optimizer.zero_grad()
        recon, kl = model(x)
        loss = elbo(recon, x, kl)
        loss.backward()
        total += loss.item()
        optimizer.step()
    print(f"epoch {epoch + 1}: {total / len(loader):.2f}")

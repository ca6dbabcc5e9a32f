import torch
import torch.nn as nn
import torch.nn.functional as F


class BayesLinear(nn.Module):
    def __init__(self, i, o):
        super().__init__()
        self.mu = nn.Parameter(torch.randn(o, i) * 0.1)
        self.rho = nn.Parameter(torch.full((o, i), -3.0))
        self.weight = None

    def sample(self):
        sigma = F.softplus(self.rho)
        return self.mu + sigma * torch.randn_like(sigma)

    def kl(self):
        return (self.mu.pow(2) + F.softplus(self.rho).pow(2) - 2 * F.softplus(self.rho).log()).sum()

    def forward(self, x):
        return F.linear(x, self.sample())


torch.manual_seed(0)
net = nn.Sequential(BayesLinear(6, 10), nn.ReLU(), BayesLinear(10, 2))
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
for x, y in [(torch.randn(8, 6), torch.randint(2, (8,))) for _ in range(3)]:
    nll = F.cross_entropy(net(x), y)
    kl = sum(layer.kl() for layer in net if isinstance(layer, BayesLinear))
    optimizer.zero_grad()
    (nll + 1e-3 * kl).backward()
    optimizer.step()

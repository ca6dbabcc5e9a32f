import math

import torch
from torch import nn


class RBF(nn.Module):
    def __init__(self):
        super().__init__()
        self.raw_scale = nn.Parameter(torch.zeros(()))

    @property
    def scale(self):
        return nn.functional.softplus(self.raw_scale) + 1e-3

    def forward(self, a, b):
        return torch.exp(-0.5 * torch.cdist(a, b).pow(2) / self.scale.pow(2))


class MultiOutputGP(nn.Module):
    def __init__(self, outputs):
        super().__init__()
        self.kernel = RBF()
        self.log_noise = nn.Parameter(torch.full((outputs,), -2.0))

    def covariance(self, x):
        k = self.kernel(x, x)
        k = k.expand(len(self.log_noise), -1, -1)
        noise = self.log_noise.exp()[:, None]
        k = k + torch.diag_embed(noise.expand(-1, x.shape[0]))
        return k

    def nll(self, x, y):
        chol = torch.linalg.cholesky(self.covariance(x))
        alpha = torch.cholesky_solve(y.unsqueeze(-1), chol).squeeze(-1)
        logdet = 2 * chol.diagonal(dim1=-2, dim2=-1).log().sum(-1)
        return 0.5 * ((y * alpha).sum(-1) + logdet + x.shape[0] * math.log(2 * math.pi)).sum()


torch.manual_seed(0)
gp = MultiOutputGP(2)
opt = torch.optim.Adam(gp.parameters(), lr=0.05)
x = torch.linspace(0, 1, 7).unsqueeze(-1)
y = torch.stack([torch.sin(6 * x[:, 0]), torch.cos(6 * x[:, 0])])
for _ in range(3):
    opt.zero_grad()
    loss = gp.nll(x, y)
    loss.backward()
    opt.step()

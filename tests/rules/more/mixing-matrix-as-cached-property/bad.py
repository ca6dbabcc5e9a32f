from functools import cached_property
import torch
from torch import nn


class Rotation(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.skew = nn.Parameter(0.1 * torch.randn(dim, dim))

    @cached_property
    def matrix(self):
        a = self.skew - self.skew.T
        return torch.matrix_exp(a)

    def forward(self, x):
        return x @ self.matrix, torch.zeros(x.shape[0])


class Coupling(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(dim // 2, 16), nn.ReLU(), nn.Linear(16, dim))

    def forward(self, x):
        left, right = x.tensor_split(2, dim=1)
        log_scale, shift = self.net(left).tensor_split(2, dim=1)
        return torch.cat([left, right * log_scale.tanh().exp() + shift], 1), log_scale.tanh().sum(1)


class Flow(nn.ModuleList):
    def log_prob(self, x):
        total = x.new_zeros(len(x))
        for layer in self:
            x, logdet = layer(x)
            total = total + logdet
        return total + torch.distributions.Normal(0.0, 1.0).log_prob(x).sum(1)


torch.manual_seed(0)
flow = Flow([Coupling(4), Rotation(4), Coupling(4)])
optimizer = torch.optim.Adam(flow.parameters(), lr=1e-3)
for _ in range(3):
    loss = -flow.log_prob(torch.randn(16, 4)).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

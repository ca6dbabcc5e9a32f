import torch
import torch.nn as nn


class MLP(nn.Module):
    def __init__(self, layers):
        super().__init__()
        mods = []
        for a, b in zip(layers[:-2], layers[1:-1]):
            mods += [nn.Linear(a, b), nn.Tanh()]
        self.net = nn.Sequential(*mods, nn.Linear(layers[-2], layers[-1]))

    def forward(self, x, t):
        return self.net(torch.cat([x, t], dim=1))


def derivative(y, x):
    return torch.autograd.grad(y, x, grad_outputs=torch.ones_like(y), create_graph=True)[0]


class Burgers:
    def __init__(self, nu=0.01):
        self.nu = nu
        self.model = MLP([2, 20, 20, 1])
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=1e-3)

    def residual(self, x, t):
        u = self.model(x, t)
        u_t, u_x = derivative(u, t), derivative(u, x)
        u_xx = derivative(u_x, x)
        return u_t + u * u_x - self.nu * u_xx

    def train(self, steps):
        for _ in range(steps):
            x = (torch.rand(64, 1) * 2 - 1).requires_grad_(True)
            t = torch.rand(64, 1, requires_grad=True)
            loss = self.residual(x, t).pow(2).mean()
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()


torch.manual_seed(0)
Burgers().train(3)

import torch
from torch import nn


class Potential(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 1))

    def energy(self, q):
        return self.net(q).sum() + 0.5 * q.pow(2).sum()

    def force(self, q):
        with torch.enable_grad():
            if not q.requires_grad:
                q = q.requires_grad_()
            return -torch.autograd.grad(self.energy(q), q, create_graph=True)[0]


def leapfrog(potential, q, p, dt, steps):
    path = [q]
    for _ in range(steps):
        p = p + 0.5 * dt * potential.force(q)
        q = q + dt * p
        path.append(q)
        p += 0.5 * dt * potential.force(q)
    return torch.stack(path), p


def action(path, dt):
    v = path.diff(dim=0) / dt
    kinetic = v.square()
    v = v * 0.5
    return kinetic.sum() + v.sum()


torch.manual_seed(0)
potential = Potential()
optimizer = torch.optim.Adam(potential.parameters(), lr=1e-2)
path, p = leapfrog(potential, torch.randn(4, 2), torch.randn(4, 2), 0.1, 3)
loss = action(path, 0.1) + p.pow(2).sum()
optimizer.zero_grad()
loss.backward()
optimizer.step()

import torch
from torch import nn


class Dynamics(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(dim + 1, 16), nn.Tanh(), nn.Linear(16, dim))

    def forward(self, t, z):
        return self.net(torch.cat([z, t.expand(z.shape[0], 1)], dim=1))


def rk4(f, t, z, dt):
    k1 = f(t, z)
    k2 = f(t + dt / 2, z + dt / 2 * k1)
    k3 = f(t + dt / 2, z + dt / 2 * k2)
    k4 = f(t + dt, z + dt * k3)
    return z + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


class Adjoint(torch.autograd.Function):
    @staticmethod
    def forward(ctx, f, z, steps, *params):
        ctx.f, ctx.steps, ctx.params = f, steps, params
        dt = torch.tensor(1.0 / steps)
        with torch.no_grad():
            for i in range(steps):
                z = rk4(f, i * dt, z, dt)
        ctx.save_for_backward(z)
        return z.clone()

    @staticmethod
    def backward(ctx, a):
        z, = ctx.saved_tensors
        dt = torch.tensor(1.0 / ctx.steps)
        grads = [torch.zeros_like(p) for p in ctx.params]
        for i in reversed(range(ctx.steps)):
            with torch.enable_grad():
                z = z.detach().requires_grad_()
                dz = ctx.f(i * dt, z)
                vz, *vp = torch.autograd.grad(dz, (z, *ctx.params), a)
            a = a + dt * vz
            grads = [g + dt * v for g, v in zip(grads, vp)]
            z = z.detach() - dt * dz.detach()
        return None, a, None, *grads


torch.manual_seed(0)
f = Dynamics(2)
optimizer = torch.optim.Adam(f.parameters(), lr=1e-2)
z0 = torch.randn(6, 2, requires_grad=True)
out = Adjoint.apply(f, z0, 4, *f.parameters())
loss = out.pow(2).mean()
optimizer.zero_grad()
loss.backward()
optimizer.step()

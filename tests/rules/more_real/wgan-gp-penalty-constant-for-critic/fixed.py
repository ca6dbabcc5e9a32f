import torch
import torch.nn as nn


def gradient_penalty(critic, real, fake, lambda_gp=10.0):
    eps = torch.rand(real.size(0), 1)
    mixed = (eps * real + (1 - eps) * fake).requires_grad_(True)
    scores = critic(mixed)
    gradients = torch.autograd.grad(
        outputs=scores,
        inputs=mixed,
        grad_outputs=torch.ones_like(scores),
        retain_graph=True,
        create_graph=True,
        only_inputs=True,
    )[0]
    return lambda_gp * ((gradients.norm(2, dim=1) - 1) ** 2).mean()


class WGAN:
    def __init__(self, z=3, x=2):
        self.z = z
        self.G = nn.Sequential(nn.Linear(z, 16), nn.ReLU(), nn.Linear(16, x))
        self.D = nn.Sequential(nn.Linear(x, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1))
        self.opt_g = torch.optim.Adam(self.G.parameters(), lr=1e-4, betas=(0.0, 0.9))
        self.opt_d = torch.optim.Adam(self.D.parameters(), lr=1e-4, betas=(0.0, 0.9))

    def d_step(self, real):
        fake = self.G(torch.randn(len(real), self.z)).detach()
        adversarial = self.D(fake).mean() - self.D(real).mean()
        penalty = gradient_penalty(self.D, real, fake)
        loss = adversarial + penalty
        plain = torch.autograd.grad(adversarial, self.D[0].weight, retain_graph=True)[0]
        self.opt_d.zero_grad()
        loss.backward()
        self.opt_d.step()
        return torch.allclose(plain, self.D[0].weight.grad)

    def g_step(self, n):
        self.opt_g.zero_grad()
        (-self.D(self.G(torch.randn(n, self.z))).mean()).backward()
        self.opt_g.step()


torch.manual_seed(0)
gan = WGAN()
same = []
for step in range(4):
    same.append(gan.d_step(torch.randn(8, 2)))
    if step % 2:
        gan.g_step(8)
print("HAZARD-OBSERVED" if all(same) else "OK")

import torch
from torch import nn
import torch.nn.functional as F


class Gan:
    def __init__(self):
        self.gen = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3))
        self.disc = nn.Sequential(nn.Linear(3, 8), nn.LeakyReLU(0.2), nn.Linear(8, 1))
        self.opt_gen = torch.optim.Adam(self.gen.parameters(), lr=1e-3)
        self.opt_disc = torch.optim.Adam(self.disc.parameters(), lr=1e-3)
        self.leftover = []

    def bce(self, logits, value):
        return F.binary_cross_entropy_with_logits(logits, torch.full_like(logits, value))

    def train_batch(self, real):
        noise = torch.randn(len(real), 4)
        fake = self.gen(noise)
        self.opt_gen.zero_grad()
        gen_loss = self.bce(self.disc(fake), 1.0)
        gen_loss.backward()
        self.opt_gen.step()

        disc_loss = self.bce(self.disc(real), 1.0) + self.bce(self.disc(fake.detach()), 0.0)
        own = torch.autograd.grad(disc_loss, self.disc[0].weight, retain_graph=True)[0]
        self.opt_disc.zero_grad()
        disc_loss.backward()
        self.leftover.append(not torch.allclose(own, self.disc[0].weight.grad, atol=1e-7))
        self.opt_disc.step()
        self.opt_disc.zero_grad()


torch.manual_seed(0)
gan = Gan()
for _ in range(3):
    gan.train_batch(torch.randn(6, 3))
print("HAZARD-OBSERVED" if any(gan.leftover) else "OK")

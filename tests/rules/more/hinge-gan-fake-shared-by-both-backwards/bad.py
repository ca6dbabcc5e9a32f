import argparse

import torch
from torch import nn
from torch.nn.utils import spectral_norm


def get_args(argv=()):
    p = argparse.ArgumentParser()
    p.add_argument("--nz", type=int, default=8)
    p.add_argument("--lr", type=float, default=2e-4)
    p.add_argument("--iters", type=int, default=2)
    p.add_argument("--loss", choices=["hinge", "bce"], default="hinge")
    return p.parse_args(argv)


class Losses:
    @staticmethod
    def hinge(real, fake=None):
        if fake is None:
            return -real.mean()
        return torch.relu(1 - real).mean() + torch.relu(1 + fake).mean()

    @staticmethod
    def bce(real, fake=None):
        sp = nn.functional.softplus
        return sp(-real).mean() if fake is None else sp(-real).mean() + sp(fake).mean()


class G(nn.Module):
    def __init__(self, nz):
        super().__init__()
        self.fc = nn.Linear(nz, 8 * 4 * 4)
        self.up = nn.Sequential(nn.BatchNorm2d(8), nn.ReLU(True), nn.ConvTranspose2d(8, 1, 4, 2, 1), nn.Tanh())

    def forward(self, z):
        return self.up(self.fc(z).view(-1, 8, 4, 4))


def make_d():
    return nn.Sequential(spectral_norm(nn.Conv2d(1, 8, 4, 2, 1)), nn.LeakyReLU(0.1), nn.Flatten(), spectral_norm(nn.Linear(128, 1)))


def main(args):
    torch.manual_seed(0)
    gen, disc = G(args.nz), make_d()
    opt_g, opt_d = (torch.optim.Adam(n.parameters(), lr=args.lr, betas=(0.0, 0.9)) for n in (gen, disc))
    criterion = getattr(Losses, args.loss)
    for it in range(args.iters):
        real = torch.rand(4, 1, 8, 8)
        fake = gen(torch.randn(4, args.nz))
        opt_d.zero_grad()
        d_loss = criterion(disc(real), disc(fake))
        d_loss.backward()
        opt_d.step()
        opt_g.zero_grad()
        g_loss = criterion(disc(fake))
        g_loss.backward()
        opt_g.step()
        print(f"[{it}] d {d_loss.item():.3f} g {g_loss.item():.3f}")


if __name__ == "__main__":
    main(get_args())

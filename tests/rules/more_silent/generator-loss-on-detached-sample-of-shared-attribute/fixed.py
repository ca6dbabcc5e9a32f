import torch
from torch import nn
import torch.nn.functional as F


class Pix(nn.Module):
    def __init__(self):
        super().__init__()
        self.netG = nn.Linear(4, 4)
        self.netD = nn.Sequential(nn.Linear(4, 6), nn.LeakyReLU(0.2), nn.Linear(6, 1))
        self.opt_g = torch.optim.SGD(self.netG.parameters(), lr=0.1)
        self.opt_d = torch.optim.SGD(self.netD.parameters(), lr=0.1)

    def forward(self, x, y):
        self.real = y
        self.fake = self.netG(x)
        self.sample = self.fake.detach()

    def backward_D(self):
        loss = F.softplus(-self.netD(self.real)).mean() + F.softplus(self.netD(self.sample)).mean()
        loss.backward()

    def backward_G(self, weight):
        adversarial = F.softplus(-self.netD(self.fake)).mean()
        loss = F.l1_loss(self.fake, self.real) + weight * adversarial
        loss.backward()

    def optimize(self, x, y, weight):
        self.forward(x, y)
        self.opt_d.zero_grad()
        self.backward_D()
        self.opt_d.step()
        self.opt_g.zero_grad()
        self.backward_G(weight)
        self.opt_g.step()


def trained(weight):
    torch.manual_seed(0)
    model = Pix()
    for _ in range(2):
        model.optimize(torch.randn(5, 4), torch.randn(5, 4), weight)
    return model.netG.weight.detach()


print("HAZARD-OBSERVED" if torch.equal(trained(0.0), trained(3.0)) else "OK")

import copy

import torch
from torch import nn


class Paint:
    def __init__(self, generator, discriminator):
        self.netG, self.netD = generator, discriminator
        self.optimizer_G = torch.optim.Adam(self.netG.parameters(), lr=0.01)
        self.optimizer_D = torch.optim.Adam(self.netD.parameters(), lr=0.01)
        self.criterion = nn.MSELoss()

    def forward(self, a, b):
        self.real_B = b
        self.fake_B = self.netG(a)
        self.pred_fake = self.netD(torch.cat([a, self.fake_B], 1))
        self.pred_real = self.netD(torch.cat([a, b], 1))

    def backward_D(self):
        self.loss_D = self.criterion(self.pred_real, torch.ones_like(self.pred_real))
        self.loss_D = self.loss_D + self.criterion(self.pred_fake, torch.zeros_like(self.pred_fake))
        self.loss_D.backward(retain_graph=True)

    def backward_G(self):
        adversarial = self.criterion(self.pred_fake, torch.ones_like(self.pred_fake))
        self.loss_G = adversarial + (self.fake_B - self.real_B).abs().mean()
        self.loss_G.backward()

    def optimize_parameters(self, a, b):
        self.forward(a, b)
        self.optimizer_D.zero_grad()
        self.backward_D()
        self.optimizer_D.step()
        self.optimizer_G.zero_grad()
        self.backward_G()
        self.optimizer_G.step()


torch.manual_seed(0)
generator = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 4))
discriminator = nn.Sequential(nn.Linear(8, 8), nn.LeakyReLU(0.2), nn.Linear(8, 1))
reference = copy.deepcopy((generator, discriminator))
batches = list(zip(torch.randn(3, 5, 4), torch.randn(3, 5, 4)))
model = Paint(generator, discriminator)
for a, b in batches:
    model.optimize_parameters(a, b)

# Each optimizer applies the gradient of its own loss, both taken before either step.
other_g, other_d = reference
optimizers = [torch.optim.Adam(net.parameters(), lr=0.01) for net in reference]
for a, b in batches:
    fake = other_g(a)
    on_fake, on_real = other_d(torch.cat([a, fake], 1)), other_d(torch.cat([a, b], 1))
    loss_d = (on_real - 1).square().mean() + on_fake.square().mean()
    loss_g = (on_fake - 1).square().mean() + (fake - b).abs().mean()
    for net, loss in ((other_g, loss_g), (other_d, loss_d)):
        for p, grad in zip(net.parameters(), torch.autograd.grad(loss, list(net.parameters()), retain_graph=True)):
            p.grad = grad
    for optimizer in optimizers:
        optimizer.step()
same = all(
    torch.allclose(p, q, atol=1e-6)
    for net, other in ((generator, other_g), (discriminator, other_d))
    for p, q in zip(net.parameters(), other.parameters())
)
print("OK" if same else "HAZARD-OBSERVED")

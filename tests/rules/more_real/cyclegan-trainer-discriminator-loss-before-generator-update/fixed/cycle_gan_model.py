import itertools

import torch

import networks


class CycleGANModel:
    def __init__(self, dim=4):
        self.netG_A, self.netG_B = networks.define_G(dim), networks.define_G(dim)
        self.netD_A, self.netD_B = networks.define_D(dim), networks.define_D(dim)
        self.criterionGAN, self.criterionCycle = networks.GANLoss(), torch.nn.L1Loss()
        self.optimizer_G = torch.optim.Adam(itertools.chain(self.netG_A.parameters(), self.netG_B.parameters()), lr=2e-4)
        self.optimizer_D = torch.optim.Adam(itertools.chain(self.netD_A.parameters(), self.netD_B.parameters()), lr=2e-4)
        self.optimizers = [self.optimizer_G, self.optimizer_D]

    def set_input(self, data):
        self.real_A, self.real_B = data["A"], data["B"]

    def forward(self):
        self.fake_B = self.netG_A(self.real_A)
        self.rec_A = self.netG_B(self.fake_B)
        self.fake_A = self.netG_B(self.real_B)
        self.rec_B = self.netG_A(self.fake_A)

    def d_loss(self, netD, real, fake):
        return 0.5 * (self.criterionGAN(netD(real), True) + self.criterionGAN(netD(fake.detach()), False))

    def backward_D(self):
        loss = self.d_loss(self.netD_A, self.real_B, self.fake_B)
        own = torch.autograd.grad(loss, self.netD_A[0].weight, retain_graph=True)[0]
        loss.backward()
        self.d_loss(self.netD_B, self.real_A, self.fake_A).backward()
        return torch.allclose(own, self.netD_A[0].weight.grad, atol=1e-7)

    def backward_G(self):
        adversarial = self.criterionGAN(self.netD_A(self.fake_B), True) + self.criterionGAN(self.netD_B(self.fake_A), True)
        cycle = self.criterionCycle(self.rec_A, self.real_A) + self.criterionCycle(self.rec_B, self.real_B)
        (adversarial + 10.0 * cycle).backward()

    def optimize_parameters(self):
        self.forward()
        for optimizer in self.optimizers:
            optimizer.zero_grad()
        self.backward_G()
        self.optimizer_G.step()
        self.optimizer_D.zero_grad()
        clean = self.backward_D()
        self.optimizer_D.step()
        return clean

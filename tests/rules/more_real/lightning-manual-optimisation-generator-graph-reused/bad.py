import torch
import torch.nn as nn
import torch.nn.functional as F


class LitModule(nn.Module):
    automatic_optimization = True

    def optimizers(self):
        if not hasattr(self, "_optimizers"):
            self._optimizers = self.configure_optimizers()
        return self._optimizers

    def manual_backward(self, loss, **kwargs):
        loss.backward(**kwargs)


class Fitter:
    def __init__(self, max_epochs):
        self.max_epochs = max_epochs

    def fit(self, module, loader):
        for _ in range(self.max_epochs):
            for index, batch in enumerate(loader):
                module.training_step(batch, index)


class LitGAN(LitModule):
    def __init__(self, latent=4, dim=6):
        super().__init__()
        self.automatic_optimization = False
        self.latent = latent
        self.generator = nn.Sequential(nn.Linear(latent, 16), nn.ReLU(), nn.Linear(16, dim))
        self.discriminator = nn.Sequential(nn.Linear(dim, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1))

    def configure_optimizers(self):
        return (
            torch.optim.Adam(self.generator.parameters(), lr=2e-4),
            torch.optim.Adam(self.discriminator.parameters(), lr=2e-4),
        )

    def adversarial(self, score, real):
        return F.binary_cross_entropy_with_logits(score, torch.full_like(score, float(real)))

    def training_step(self, batch, batch_idx):
        g_opt, d_opt = self.optimizers()
        fake = self.generator(torch.randn(len(batch), self.latent))
        d_loss = self.adversarial(self.discriminator(batch), True)
        d_loss = d_loss + self.adversarial(self.discriminator(fake), False)
        d_opt.zero_grad()
        self.manual_backward(d_loss)
        d_opt.step()

        g_loss = self.adversarial(self.discriminator(fake), True)
        g_opt.zero_grad()
        self.manual_backward(g_loss)
        g_opt.step()


torch.manual_seed(0)
Fitter(2).fit(LitGAN(), [torch.randn(4, 6) for _ in range(2)])

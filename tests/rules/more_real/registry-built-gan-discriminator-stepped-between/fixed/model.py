import torch
import torch.nn.functional as F

from registry import MODELS, NETS


class BaseModel:
    def train_iter(self, data):
        losses = self.forward_losses(data)
        self.optimize(losses)
        return {k: v.item() for k, v in losses.items()}


@MODELS.register
class StaticGAN(BaseModel):
    def __init__(self, generator, discriminator, lr=1e-4):
        self.generator = NETS.build(generator)
        self.discriminator = NETS.build(discriminator)
        self.optimizer = {
            "generator": torch.optim.Adam(self.generator.parameters(), lr=lr),
            "discriminator": torch.optim.Adam(self.discriminator.parameters(), lr=lr),
        }

    def forward_losses(self, data):
        fake = self.generator(torch.randn(len(data), self.generator.latent))
        disc = F.softplus(-self.discriminator(data)).mean() + F.softplus(self.discriminator(fake.detach())).mean()
        gen = F.softplus(-self.discriminator(fake)).mean()
        return {"disc": disc, "gen": gen}

    def optimize(self, losses):
        self.optimizer["discriminator"].zero_grad()
        losses["disc"].backward()
        self.optimizer["generator"].zero_grad()
        losses["gen"].backward(inputs=list(self.generator.parameters()))
        self.optimizer["generator"].step()
        self.optimizer["discriminator"].step()

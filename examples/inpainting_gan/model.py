"""Both networks, their optimizers and their losses.

``process`` computes the losses of discriminator and generator together, from one forward of each. ``backward`` then
steps the discriminator while the generator's loss still needs the discriminator's weights as they were.
"""

import torch
from torch import nn

from networks import Discriminator, Generator


class InpaintingModel(nn.Module):
    def __init__(self, learning_rate=1e-4, feature_weight=10.0, adversarial_weight=0.1):
        super().__init__()
        self.generator = Generator()
        self.discriminator = Discriminator()
        self.feature_weight = feature_weight
        self.adversarial_weight = adversarial_weight
        self.l1_loss = nn.L1Loss()
        self.adversarial_loss = nn.BCEWithLogitsLoss()
        self.gen_optimizer = torch.optim.Adam(self.generator.parameters(), lr=learning_rate, betas=(0.0, 0.9))
        self.dis_optimizer = torch.optim.Adam(self.discriminator.parameters(), lr=learning_rate, betas=(0.0, 0.9))

    def process(self, images, masks):
        """The filled images with the losses of the generator and of the discriminator."""
        self.gen_optimizer.zero_grad()
        self.dis_optimizer.zero_grad()
        outputs = self.generator(images, masks)

        real_score, real_features = self.discriminator(images)
        fake_score, _ = self.discriminator(outputs.detach())
        dis_loss = (self._judge(real_score, True) + self._judge(fake_score, False)) / 2

        gen_score, gen_features = self.discriminator(outputs)
        gen_loss = self.adversarial_weight * self._judge(gen_score, True)
        gen_loss += self.feature_weight * self._match(gen_features, real_features)
        gen_loss += self.l1_loss(outputs, images) / masks.mean()
        return outputs, gen_loss, dis_loss

    def backward(self, gen_loss, dis_loss):
        """Train both networks by one step."""
        dis_loss.backward()
        self.dis_optimizer.step()
        gen_loss.backward()
        self.gen_optimizer.step()

    def _judge(self, score, is_real):
        target = torch.ones_like(score) if is_real else torch.zeros_like(score)
        return self.adversarial_loss(score, target)

    def _match(self, features, references):
        return sum(self.l1_loss(mine, wanted.detach()) for mine, wanted in zip(features, references))

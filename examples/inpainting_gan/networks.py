"""The networks of the inpainting GAN: a generator that fills holes, a discriminator that also gives its features."""

import torch
from torch import nn


class Generator(nn.Module):
    """Fills the masked part of an image; the mask is a fourth channel of the input."""

    def __init__(self, width=16):
        super().__init__()
        self.encoder = nn.Sequential(
            nn.Conv2d(4, width, kernel_size=5, padding=2),
            nn.InstanceNorm2d(width),
            nn.ReLU(inplace=True),
            nn.Conv2d(width, width, kernel_size=4, stride=2, padding=1),
            nn.InstanceNorm2d(width),
            nn.ReLU(inplace=True),
        )
        self.decoder = nn.Sequential(
            nn.ConvTranspose2d(width, width, kernel_size=4, stride=2, padding=1),
            nn.InstanceNorm2d(width),
            nn.ReLU(inplace=True),
            nn.Conv2d(width, 3, kernel_size=5, padding=2),
        )

    def forward(self, images, masks):
        holed = images * (1 - masks)
        return torch.sigmoid(self.decoder(self.encoder(torch.cat([holed, masks], dim=1))))


class Discriminator(nn.Module):
    """Scores patches of an image and gives the features on the way, for feature matching."""

    def __init__(self, width=16):
        super().__init__()
        self.blocks = nn.ModuleList(
            [
                nn.Sequential(nn.Conv2d(3, width, 4, stride=2, padding=1), nn.LeakyReLU(0.2)),
                nn.Sequential(nn.Conv2d(width, 2 * width, 4, stride=2, padding=1), nn.LeakyReLU(0.2)),
            ]
        )
        self.head = nn.Conv2d(2 * width, 1, 4, padding=1)

    def forward(self, images):
        features = []
        for block in self.blocks:
            images = block(images)
            features.append(images)
        return self.head(images), features

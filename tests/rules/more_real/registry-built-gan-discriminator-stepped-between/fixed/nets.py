import torch.nn as nn

from registry import NETS


@NETS.register
class DenseGenerator(nn.Module):
    def __init__(self, latent, out, width=16):
        super().__init__()
        self.latent = latent
        self.layers = nn.Sequential(nn.Linear(latent, width), nn.ReLU(), nn.Linear(width, out))

    def forward(self, z):
        return self.layers(z)


@NETS.register
class DenseDiscriminator(nn.Module):
    def __init__(self, inp, width=16):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(inp, width), nn.LeakyReLU(0.2), nn.Linear(width, 1))

    def forward(self, x):
        return self.layers(x).squeeze(1)

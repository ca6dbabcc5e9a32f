"""A stack of gated convolutions for audio, to which somebody has added a rectifier, in place as everywhere else.

``tanh`` keeps its result for the backward, and the rectifier overwrites it. Torch says: at ``loss.backward()``, that a
variable needed for the gradient, the output of a tanh, has been modified by an in-place operation. It does not say
where it was modified. Behind a convolution or a normalisation the same rectifier would be right.
Found: AGH304 at the line in ``GatedBlock.__init__`` that makes the rectifier.
"""

import torch
from torch import nn


class GatedBlock(nn.Module):
    def __init__(self, channels, dilation):
        super().__init__()
        self.norm = nn.BatchNorm1d(channels)
        self.filter = nn.Conv1d(channels, channels, kernel_size=3, padding=dilation, dilation=dilation)
        self.gate = nn.Conv1d(channels, channels, kernel_size=3, padding=dilation, dilation=dilation)
        self.rectifier = nn.ReLU(inplace=True)

    def forward(self, signal):
        normed = self.norm(signal)
        filtered = torch.tanh(self.filter(normed))
        opened = torch.sigmoid(self.gate(normed))
        rectified = self.rectifier(filtered)
        return signal + rectified * opened


class Denoiser(nn.Module):
    def __init__(self, channels=8, blocks=3):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv1d(1, channels, 1), nn.BatchNorm1d(channels), nn.ReLU(inplace=True))
        self.blocks = nn.ModuleList(GatedBlock(channels, dilation=2**depth) for depth in range(blocks))
        self.head = nn.Conv1d(channels, 1, kernel_size=1)

    def forward(self, noisy):
        signal = self.stem(noisy)
        for block in self.blocks:
            signal = block(signal)
        return self.head(signal)


def tones(count, length=256):
    frequencies = torch.rand(count, 1, 1) * 0.2
    return torch.sin(torch.arange(length) * frequencies)


def train(model, steps=5):
    criterion = nn.L1Loss()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.9)
    for step in range(steps):
        clean = tones(count=8)
        noisy = clean + 0.1 * torch.randn_like(clean)
        optimizer.zero_grad()
        loss = criterion(model(noisy), clean)
        loss.backward()
        optimizer.step()
        scheduler.step()
        print(f"step {step}: loss {loss.item():.4f}")


if __name__ == "__main__":
    torch.manual_seed(0)
    train(Denoiser())

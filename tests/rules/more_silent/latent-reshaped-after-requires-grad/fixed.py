import warnings

import torch
from torch import nn

warnings.simplefilter("ignore")


def invert(decoder, image, steps=3, lr=0.5):
    latent = torch.zeros(1, 4, requires_grad=True)
    for _ in range(steps):
        loss = (decoder(latent) - image).pow(2).mean()
        loss.backward()
        if latent.grad is not None:
            with torch.no_grad():
                latent -= lr * latent.grad
                latent.grad.zero_()
    return latent


torch.manual_seed(0)
decoder = nn.Linear(4, 6)
found = invert(decoder, torch.randn(1, 6))
print("HAZARD-OBSERVED" if found.abs().sum() == 0 else "OK")

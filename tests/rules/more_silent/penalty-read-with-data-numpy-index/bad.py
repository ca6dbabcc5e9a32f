import torch
from torch import nn


def total_variation(img):
    tv = (img[:, 1:] - img[:, :-1]).abs().sum()
    return tv.data.cpu().numpy().item()


def optimise(weight):
    torch.manual_seed(0)
    image = torch.randn(6, 6).requires_grad_(True)
    target = torch.zeros(6, 6)
    optimizer = torch.optim.Adam([image], lr=0.1)
    for _ in range(3):
        optimizer.zero_grad()
        content = nn.functional.mse_loss(image, target)
        loss = content + weight * total_variation(image)
        loss.backward()
        optimizer.step()
    return image.detach()


print("HAZARD-OBSERVED" if torch.equal(optimise(0.0), optimise(1.0)) else "OK")

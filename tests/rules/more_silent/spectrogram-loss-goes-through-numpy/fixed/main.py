import torch
from torch import nn

from spectral import spectral_distance


def gradient(weight):
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 16))
    optimizer = torch.optim.Adam(model.parameters())
    x, wave = torch.randn(3, 4), torch.randn(3, 16)
    out = model(x)
    loss = nn.functional.l1_loss(out, wave)
    if weight:
        loss = loss + weight * spectral_distance(out, wave)
    optimizer.zero_grad()
    loss.backward()
    found = model[0].weight.grad.clone()
    optimizer.step()
    return found


print("HAZARD-OBSERVED" if torch.allclose(gradient(0.0), gradient(1.0)) else "OK")

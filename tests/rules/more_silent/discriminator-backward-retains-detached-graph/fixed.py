import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)
gen, disc = nn.Linear(3, 2), nn.Linear(2, 1)
opts = {"g": torch.optim.Adam(gen.parameters()), "d": torch.optim.Adam(disc.parameters())}
held = []


def freed(loss):
    try:
        loss.grad_fn._saved_self
    except RuntimeError:
        return True
    return False


for _ in range(3):
    fake = gen(torch.randn(4, 3))
    opts["d"].zero_grad()
    d_loss = F.mse_loss(torch.cat([disc(torch.randn(4, 2)), disc(fake.detach())]), torch.cat([torch.ones(4, 1), torch.zeros(4, 1)]))
    d_loss.backward()
    held.append(not freed(d_loss))
    opts["d"].step()
    opts["g"].zero_grad()
    F.mse_loss(disc(fake), torch.ones(4, 1)).backward()
    opts["g"].step()
print("HAZARD-OBSERVED" if any(held) else "OK")

import torch
from torch import nn


def pgd(model, x, y, steps=2, eps=0.5):
    adv = x.clone()
    for _ in range(steps):
        adv.requires_grad_(True)
        loss = nn.functional.cross_entropy(model(adv), y)
        grad, = torch.autograd.grad(loss, adv)
        adv = (adv + eps * grad.sign()).detach()
        adv = torch.clamp(adv, 0.0, 1.0)
    return adv


torch.manual_seed(0)
model = nn.Linear(6, 3)
adv = pgd(model, torch.rand(4, 6), torch.randint(3, (4,)))
print("HAZARD-OBSERVED" if adv.min() < 0 or adv.max() > 1 else "OK")

import warnings

import torch
from torch import nn
import torch.nn.functional as F

warnings.simplefilter("ignore")


def fgsm(model, x, y, eps=0.1):
    delta = torch.randn(x.shape, requires_grad=True) * eps
    loss = F.cross_entropy(model(x + delta), y)
    loss.backward()
    if delta.grad is None:
        return x
    return (x + eps * delta.grad.sign()).detach()


torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3))
x, y = torch.randn(5, 4), torch.randint(3, (5,))
adversarial = fgsm(model, x, y)
print("HAZARD-OBSERVED" if torch.equal(adversarial, x) else "OK")

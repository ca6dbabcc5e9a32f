from contextlib import contextmanager

import torch
import torch.nn.functional as F
from torch import nn


@contextmanager
def inference(model):
    was = model.training
    model.eval()
    previous = torch.is_grad_enabled()
    torch.set_grad_enabled(False)
    try:
        yield model
    finally:
        torch.set_grad_enabled(previous)
        model.train(was)


class Vat:
    def __init__(self, xi=0.1, eps=1.0):
        self.xi, self.eps = xi, eps

    def direction(self, model, x, clean):
        d = F.normalize(torch.randn_like(x).flatten(1), dim=1).view_as(x)
        d.requires_grad_()
        with torch.enable_grad():
            distance = F.kl_div(F.log_softmax(model(x + self.xi * d), 1), clean, reduction="batchmean")
        g, = torch.autograd.grad(distance, d)
        return self.eps * F.normalize(g.flatten(1), dim=1).view_as(x)


torch.manual_seed(0)
model = nn.Sequential(nn.Flatten(), nn.Linear(16, 10), nn.ReLU(), nn.Linear(10, 3))
vat, opt = Vat(), torch.optim.SGD(model.parameters(), lr=0.1)
x = torch.rand(4, 1, 4, 4)
with inference(model) as frozen:
    clean = frozen(x).softmax(1)
    r = vat.direction(frozen, x, clean)
loss = F.kl_div(F.log_softmax(model(x + r), 1), clean, reduction="batchmean")
loss.backward()
opt.step()

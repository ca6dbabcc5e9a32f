from contextlib import contextmanager

import torch
from torch import nn


@contextmanager
def eval_mode(*models):
    was = [m.training for m in models]
    for m in models:
        m.eval()
    try:
        yield
    finally:
        for m, mode in zip(models, was):
            m.train(mode)


def adapt(model, x, y, steps=3, lr=0.1):
    delta = torch.zeros_like(x, requires_grad=True)
    with eval_mode(model):
        for _ in range(steps):
            loss = nn.functional.mse_loss(model(x + delta), y)
            loss.backward()
            with torch.no_grad():
                delta -= lr * delta.grad.sign()
                delta.grad.zero_()
    return delta.detach()


torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.2), nn.ReLU(), nn.Linear(8, 1))
print(adapt(net, torch.randn(3, 4), torch.randn(3, 1)).abs().max())

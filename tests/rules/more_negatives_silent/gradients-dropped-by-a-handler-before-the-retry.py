import torch
import torch.nn as nn


class FakeOOM(RuntimeError):
    pass


def attempt(loss, budget):
    loss.backward()
    if budget <= 0:
        raise FakeOOM('out of memory')


def fit(model, opt, data):
    for i, (x, y) in enumerate(data):
        opt.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        for retry in range(2):
            try:
                if retry:
                    loss = nn.functional.mse_loss(model(x), y)
                attempt(loss, budget=retry)
                break
            except FakeOOM:
                opt.zero_grad()
        opt.step()


torch.manual_seed(0)
model = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 1))
fit(model, torch.optim.SGD(model.parameters(), 0.1), [(torch.randn(4, 3), torch.randn(4, 1))])
print('OK')

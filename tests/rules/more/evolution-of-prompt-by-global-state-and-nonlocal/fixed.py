import torch
from torch import nn


def make_step(model, optimizer, momentum=0.5):
    previous = None

    def step(x, y):
        nonlocal previous
        loss = nn.functional.mse_loss(model(x), y)
        smooth = loss if previous is None else (1 - momentum) * loss + momentum * previous
        optimizer.zero_grad()
        smooth.backward()
        optimizer.step()
        previous = loss.detach()
        return smooth.item()

    return step


torch.manual_seed(0)
model = nn.Sequential(nn.Linear(3, 9), nn.Softsign(), nn.Linear(9, 1))
step = make_step(model, torch.optim.NAdam(model.parameters()))
i = 0
while (i := i + 1) < 4:
    print(i, step(torch.randn(5, 3), torch.randn(5, 1)))

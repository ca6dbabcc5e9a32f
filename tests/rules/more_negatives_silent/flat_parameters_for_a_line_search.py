"""Views of parameters are collected and joined in every iteration: their graphs hold nothing."""

import torch
from torch import nn

torch.manual_seed(0)


def flat_parameters(model):
    parts = []
    for parameter in model.parameters():
        parts.append(parameter.view(-1))
    return torch.cat(parts)


def set_parameters(model, flat):
    start = 0
    for parameter in model.parameters():
        size = parameter.numel()
        parameter.data.copy_(flat[start : start + size].view(parameter.size()))
        start += size


def line_search(model, loss_of, step, tries=6):
    start = flat_parameters(model)
    with torch.no_grad():
        before = loss_of().item()
        for k in range(tries):
            set_parameters(model, start + 0.5**k * step)
            if loss_of().item() < before:
                return True
        set_parameters(model, start)
    return False


model = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1))
x = torch.randn(64, 3)
y = x.sum(1, keepdim=True)


def loss_of():
    return nn.functional.mse_loss(model(x), y)


first = loss_of().item()
for iteration in range(20):
    gradients = torch.autograd.grad(loss_of(), list(model.parameters()))
    step = -torch.cat([g.reshape(-1) for g in gradients])
    line_search(model, loss_of, step.detach())
assert loss_of().item() < 0.5 * first
print("OK")

import torch
from torch import nn

torch.manual_seed(0)
weights = torch.randn(3, requires_grad=True)
log_lr = nn.Parameter(torch.tensor(-2.0))
outer = torch.optim.Adam([log_lr], lr=0.1)


def model(x, w):
    return x @ w


for _ in range(2):
    x, y = torch.randn(10, 3), torch.randn(10)
    xv, yv = torch.randn(10, 3), torch.randn(10)
    inner_loss = nn.functional.mse_loss(model(x, weights), y)
    grad = torch.autograd.grad(inner_loss, weights)[0]
    updated = weights.detach() - log_lr.exp() * grad
    outer_loss = nn.functional.mse_loss(model(xv, updated), yv)
    outer.zero_grad()
    outer_loss.backward()
    outer.step()
    weights = updated.detach().requires_grad_()

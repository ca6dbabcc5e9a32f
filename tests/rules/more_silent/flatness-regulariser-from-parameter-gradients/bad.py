import torch
from torch import nn
import torch.nn.functional as F


def gradient_norm(loss, parameters):
    grads = torch.autograd.grad(loss, parameters, retain_graph=True)
    return sum(g.pow(2).sum() for g in grads)


def objective(model, x, y, strength):
    task = F.cross_entropy(model(x), y)
    flat = gradient_norm(task, list(model.parameters()))
    return task + strength * flat


def first_gradient(strength):
    torch.manual_seed(3)
    model = nn.Sequential(nn.Linear(5, 7), nn.Tanh(), nn.Linear(7, 3))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    x, y = torch.randn(9, 5), torch.randint(3, (9,))
    optimizer.zero_grad()
    objective(model, x, y, strength).backward()
    optimizer.step()
    return model[0].weight.detach().clone()


print("HAZARD-OBSERVED" if torch.allclose(first_gradient(0.0), first_gradient(1.0)) else "OK")

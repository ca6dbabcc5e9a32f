import torch
from torch import nn

from losses import Penalty


def gradient(scale):
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(6, 6), nn.Tanh(), nn.Linear(6, 2))
    criterion, penalty = nn.CrossEntropyLoss(), Penalty(scale)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    x, y = torch.randn(10, 6), torch.randint(2, (10,))
    loss = criterion(model(x), y) + penalty(model)
    optimizer.zero_grad()
    loss.backward()
    grad = model[0].weight.grad.clone()
    optimizer.step()
    return grad


print("HAZARD-OBSERVED" if torch.allclose(gradient(0.0), gradient(1.0)) else "OK")

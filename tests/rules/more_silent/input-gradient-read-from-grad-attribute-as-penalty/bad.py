import torch
from torch import nn


class Smooth(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(3, 8), nn.Softplus(), nn.Linear(8, 1))

    def penalty(self, x):
        x = x.clone().requires_grad_(True)
        self.net(x).sum().backward()
        return x.grad.pow(2).sum(1).mean()


def trained(weight):
    torch.manual_seed(1)
    model = Smooth()
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    x, y = torch.randn(6, 3), torch.randn(6, 1)
    for _ in range(2):
        penalty = model.penalty(x)
        opt.zero_grad()
        loss = nn.functional.mse_loss(model.net(x), y) + weight * penalty
        loss.backward()
        opt.step()
    return model.net[0].weight.detach()


print("HAZARD-OBSERVED" if torch.equal(trained(0.0), trained(5.0)) else "OK")

import torch
from torch import nn


class Heatmaps(nn.Module):
    def __init__(self, points=2, size=9):
        super().__init__()
        self.net = nn.Linear(5, points * size)
        self.points, self.size = points, size
        self.register_buffer("grid", torch.linspace(0, 1, size))

    def forward(self, x):
        return self.net(x).view(-1, self.points, self.size)

    def coordinates(self, maps):
        return (maps.softmax(dim=-1) * self.grid).sum(-1)


def gradient(weight):
    torch.manual_seed(0)
    model = Heatmaps()
    opt = torch.optim.Adam(model.parameters())
    x, target = torch.randn(4, 5), torch.rand(4, 2)
    maps = model(x)
    smooth = maps.diff(dim=-1).pow(2).mean()
    error = (model.coordinates(maps) - target).abs().mean()
    loss = smooth + weight * error
    opt.zero_grad()
    loss.backward()
    grad = model.net.weight.grad.clone()
    opt.step()
    return grad


print("HAZARD-OBSERVED" if torch.equal(gradient(0.0), gradient(2.0)) else "OK")

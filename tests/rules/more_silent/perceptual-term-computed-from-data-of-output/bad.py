import torch
from torch import nn


class Perceptual:
    def __init__(self):
        self.features = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 4)).requires_grad_(False).eval()

    def __call__(self, output, target):
        a = self.features(output.data)
        b = self.features(target)
        return (a - b).abs().mean()


def train(lam):
    torch.manual_seed(2)
    net, criterion = nn.Sequential(nn.Linear(6, 6), nn.Tanh()), Perceptual()
    optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
    for step in range(3):
        x, y = torch.randn(4, 6), torch.randn(4, 6)
        output = net(x)
        pixel = nn.functional.mse_loss(output, y)
        total = pixel + lam * criterion(output, y)
        optimizer.zero_grad()
        total.backward()
        optimizer.step()
    return net[0].weight.detach()


print("HAZARD-OBSERVED" if torch.equal(train(0.0), train(5.0)) else "OK")

import torch
from torch import nn


class GradScale(nn.Module):
    def __init__(self, factor):
        super().__init__()
        self.factor = factor

    def forward(self, x):
        if x.requires_grad:
            x.register_hook(lambda g: g * self.factor)
        return x


class TwoTower(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(4, 4), nn.Linear(4, 4)
        self.scale = GradScale(0.1)

    def forward(self, x):
        left, right = self.a(x), self.b(x)
        return left + self.scale(right)


torch.manual_seed(0)
net = TwoTower()
x = torch.randn(5, 4)
ref = torch.autograd.grad((net.a(x) + net.b(x)).pow(2).sum(), net.a.weight)[0]
net(x).pow(2).sum().backward()
print("OK" if torch.allclose(ref, net.a.weight.grad) else "HAZARD-OBSERVED")

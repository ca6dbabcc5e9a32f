import torch
from torch import nn


class Rot(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(4, 6)

    def forward(self, x):
        v = self.lin(x)
        v[:, 0] = 1.0
        v[:, 1:3].mul_(2)
        a, b = v[:, :3], v[:, 3:]
        b += 0.5
        return torch.linalg.cross(a, b.clone())


torch.manual_seed(0)
m = Rot()
m(torch.randn(3, 4)).sum().backward()
assert m.lin.weight.grad is not None
print("OK")

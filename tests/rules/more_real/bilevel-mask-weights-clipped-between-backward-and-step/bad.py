import torch
import torch.nn as nn


class MixedOp(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.ops = nn.ModuleList([nn.Linear(dim, dim), nn.Identity(), nn.Sequential(nn.Linear(dim, dim), nn.Tanh())])
        self.alpha = nn.Parameter(torch.full((3,), 0.5))

    def forward(self, x):
        return sum(a * op(x) for a, op in zip(self.alpha, self.ops))


class Architect:
    def __init__(self, net, lr=3.0):
        self.net = net
        self.optimizer = torch.optim.SGD([m.alpha for m in net.modules() if isinstance(m, MixedOp)], lr=lr)

    def project(self):
        for m in self.net.modules():
            if isinstance(m, MixedOp):
                m.alpha.data.clamp_(0.0, 1.0)

    def step(self, x, y):
        self.optimizer.zero_grad()
        nn.functional.mse_loss(self.net(x), y).backward()
        self.project()
        self.optimizer.step()


torch.manual_seed(0)
net = nn.Sequential(MixedOp(4), MixedOp(4))
architect = Architect(net)
inside = []
for _ in range(3):
    architect.step(torch.randn(8, 4), 5 * torch.randn(8, 4))
    inside += [bool(((m.alpha >= 0) & (m.alpha <= 1)).all()) for m in net]
print("OK" if all(inside) else "HAZARD-OBSERVED")

import torch
from torch import nn


def norm_of(params):
    return torch.stack([p.grad.norm() for p in params]).norm().item()


class RegressionFit:
    max_norm = 0.1

    def __init__(self, net):
        self.net = net
        self.opt = torch.optim.SGD(net.parameters(), lr=1e-3, momentum=0.9)
        self.norms = []

    def fit(self, x, y, steps=3):
        for _ in range(steps):
            self.opt.zero_grad()
            loss = 100 * (self.net(x) - y).pow(2).mean()
            loss.backward()
            nn.utils.clip_grad_norm_(self.net.parameters(), self.max_norm)
            self.norms.append(norm_of(list(self.net.parameters())))
            self.opt.step()


torch.manual_seed(0)
fit = RegressionFit(nn.Linear(4, 1))
fit.fit(torch.randn(10, 4), torch.randn(10, 1))
print("HAZARD-OBSERVED" if max(fit.norms) > 0.11 else "OK")

import torch
import torch.nn.functional as F
from torch import nn


class HardNegatives(nn.Module):
    def __init__(self, k, t=0.3):
        super().__init__()
        self.k, self.t = k, t

    def forward(self, a, b):
        sim = F.normalize(a, dim=1) @ F.normalize(b, dim=1).t()
        positive = sim.diagonal()
        negatives = sim.masked_fill(torch.eye(len(sim), dtype=torch.bool), -1.0)
        hard = negatives.topk(self.k, dim=1)
        weights = (hard.values / self.t).exp()
        penalty = hard.values.square()
        kept = hard.values.clamp(min=0)
        return (weights * kept).sum(1).log1p().mean() + penalty.mean() - positive.mean()


torch.manual_seed(0)
net = nn.Linear(6, 4)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.randn(5, 6)
loss = HardNegatives(2)(net(x), net(x + 0.1 * torch.randn_like(x)))
optimizer.zero_grad()
loss.backward()
optimizer.step()

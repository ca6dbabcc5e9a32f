import torch
from torch import nn


class Shared(nn.Module):
    def __init__(self, tasks):
        super().__init__()
        self.trunk = nn.Linear(5, 12)
        self.heads = nn.ModuleList(nn.Linear(12, 1) for _ in range(tasks))

    def forward(self, x):
        h = self.trunk(x).relu()
        return torch.cat([head(h) for head in self.heads], dim=1)


class GradNorm:
    def __init__(self, shared, tasks, alpha=1.5):
        self.shared, self.alpha = shared, alpha
        self.weights = torch.ones(tasks)
        self.initial = None

    def norms(self, losses):
        found = []
        for i, loss in enumerate(losses):
            g, = torch.autograd.grad(loss, self.shared.weight, retain_graph=True)
            found.append(self.weights[i] * g.norm())
        return torch.stack(found)

    def update(self, losses):
        detached = torch.stack([l.detach() for l in losses])
        if self.initial is None:
            self.initial = detached
        ratio = detached / self.initial
        norms = self.norms(losses)
        target = norms.mean() * (ratio / ratio.mean()) ** self.alpha
        self.weights = self.weights * (target / norms).clamp(0.5, 2.0)
        self.weights *= len(losses) / self.weights.sum()
        return self.weights


torch.manual_seed(0)
net = Shared(3)
balancer = GradNorm(net.trunk, 3)
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
for _ in range(2):
    x, y = torch.randn(16, 5), torch.randn(16, 3)
    losses = (net(x) - y).pow(2).mean(0).unbind()
    weights = balancer.update(losses)
    total = sum(w * l for w, l in zip(weights, losses))
    optimizer.zero_grad()
    total.backward()
    optimizer.step()

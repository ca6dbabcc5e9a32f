import torch
import torch.nn as nn
import torch.nn.functional as F


class MetaSGD(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(1, 3))
        self.alpha = nn.Parameter(torch.full((1, 3), 0.1))

    def adapt(self, x, y):
        loss = F.mse_loss(F.linear(x, self.weight), y)
        g, = torch.autograd.grad(loss, self.weight, create_graph=True)
        return self.weight - self.alpha * g

    def forward(self, task):
        (xs, ys), (xq, yq) = task
        return F.mse_loss(F.linear(xq, self.adapt(xs, ys)), yq)


def task():
    w = torch.randn(1, 3)
    return tuple((x := torch.randn(5, 3), x @ w.T) for _ in range(2))


torch.manual_seed(0)
meta = MetaSGD()
opt = torch.optim.Adam(meta.parameters(), lr=0.01)
for _ in range(2):
    loss = torch.stack([meta(task()) for _ in range(2)]).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
print('HAZARD-OBSERVED' if torch.all(meta.alpha == 0.1) else 'OK')

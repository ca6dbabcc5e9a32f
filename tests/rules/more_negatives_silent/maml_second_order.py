import torch
from torch import nn
import torch.nn.functional as F


class Regressor(nn.Module):
    def __init__(self):
        super().__init__()
        self.w1, self.b1 = nn.Parameter(torch.randn(8, 1) * 0.5), nn.Parameter(torch.zeros(8))
        self.w2, self.b2 = nn.Parameter(torch.randn(1, 8) * 0.5), nn.Parameter(torch.zeros(1))

    def forward(self, x, params=None):
        w1, b1, w2, b2 = params if params is not None else self.parameters()
        return F.linear(torch.tanh(F.linear(x, w1, b1)), w2, b2)


torch.manual_seed(0)
model = Regressor()
meta = torch.optim.Adam(model.parameters(), lr=1e-2)
curve = []
for iteration in range(2):
    meta_loss = 0.0
    for task in range(3):
        xs, xq, phase = torch.randn(5, 1), torch.randn(5, 1), torch.rand(1)
        fast = list(model.parameters())
        for _ in range(2):
            loss = F.mse_loss(model(xs, fast), torch.sin(xs + phase))
            grads = torch.autograd.grad(loss, fast, create_graph=True)
            fast = [p - 0.1 * g for p, g in zip(fast, grads)]
        meta_loss = meta_loss + F.mse_loss(model(xq, fast), torch.sin(xq + phase))
    meta.zero_grad()
    (meta_loss / 3).backward()
    assert model.w1.grad.abs().sum() > 0
    meta.step()
    curve.append(meta_loss.item())
assert len(curve) == 2
print("OK")

import torch
from torch import nn


class Field(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(dim, 24), nn.Tanh(), nn.Linear(24, dim))

    def forward(self, t, y):
        return self.net(y**3)


def rk2(func, y0, ts):
    path = torch.zeros(len(ts), *y0.shape)
    path[0] = y0
    y = y0
    for i in range(len(ts) - 1):
        h = ts[i + 1] - ts[i]
        k1 = func(ts[i], y)
        k2 = func(ts[i] + h / 2, y + h / 2 * k1)
        y = y + h * k2
        path[i + 1] = y
    return path


torch.manual_seed(0)
field = Field(2)
optimizer = torch.optim.Adam(field.parameters(), lr=1e-2)
ts = torch.linspace(0, 1, 6)
target = torch.stack([torch.cos(ts), torch.sin(ts)], dim=1).unsqueeze(1)
for _ in range(2):
    optimizer.zero_grad()
    loss = (rk2(field, target[0], ts) - target).abs().mean()
    loss.backward()
    optimizer.step()

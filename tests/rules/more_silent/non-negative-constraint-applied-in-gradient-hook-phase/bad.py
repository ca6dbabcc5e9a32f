import torch
from torch import nn
import torch.nn.functional as F


class Monotone(nn.Module):
    def __init__(self):
        super().__init__()
        self.w1 = nn.Parameter(torch.rand(2, 5) * 0.01)
        self.w2 = nn.Parameter(torch.rand(5, 1) * 0.01)

    def forward(self, x):
        return torch.sigmoid(x @ self.w1) @ self.w2

    @torch.no_grad()
    def constrain(self):
        self.w1.clamp_(min=0)
        self.w2.clamp_(min=0)


def optimise(model, optimizer, x, y):
    for epoch in range(5):
        loss = F.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        model.constrain()
        optimizer.step()


torch.manual_seed(0)
model = Monotone()
optimise(model, torch.optim.Adam(model.parameters(), lr=0.1), torch.randn(10, 2), -torch.ones(10, 1))
low = min(model.w1.min().item(), model.w2.min().item())
print("HAZARD-OBSERVED" if low < 0 else "OK")

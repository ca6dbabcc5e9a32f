import torch
import torch.nn as nn


class DeepBSDE(nn.Module):
    def __init__(self, dim, steps, scale=1.0):
        super().__init__()
        self.y0 = nn.Parameter(torch.rand(1))
        self.z = nn.ModuleList(nn.Linear(dim, dim) for _ in range(steps))
        self.steps, self.dim, self.scale = steps, dim, scale

    def forward(self, batch):
        x = torch.zeros(batch, self.dim)
        y = self.scale * self.y0.expand(batch)
        for layer in self.z:
            noise = 0.1 * torch.randn(batch, self.dim)
            y = y - 0.01 * y + (layer(x) * noise).sum(1)
            x = x + noise
        return x, y


torch.manual_seed(0)
model = DeepBSDE(dim=3, steps=4)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
start = model.y0.detach().clone()
for _ in range(4):
    x, y = model(16)
    loss = (y - x.pow(2).sum(1)).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print("HAZARD-OBSERVED" if torch.equal(start, model.y0.detach()) else "OK")

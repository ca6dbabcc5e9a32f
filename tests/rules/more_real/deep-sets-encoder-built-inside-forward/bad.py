import torch
import torch.nn as nn


class DeepSets(nn.Module):
    def __init__(self, dim, hidden, out):
        super().__init__()
        self.phi = nn.Sequential(nn.Linear(dim, hidden), nn.ReLU())
        self.rho_dim = (hidden, out)

    def forward(self, x):
        pooled = self.phi(x).sum(1)
        rho = nn.Linear(*self.rho_dim)
        self.last = rho.weight
        return rho(pooled)


torch.manual_seed(0)
model = DeepSets(3, 8, 2)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
weights = []
for _ in range(2):
    x, y = torch.randn(4, 5, 3), torch.randint(2, (4,))
    loss = nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    weights.append(model.last)
print("HAZARD-OBSERVED" if weights[0] is not weights[1] else "OK")

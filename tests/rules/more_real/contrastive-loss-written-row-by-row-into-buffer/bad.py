import torch
import torch.nn as nn
import torch.nn.functional as F


class NTXent(nn.Module):
    def __init__(self, temperature=0.2):
        super().__init__()
        self.temperature = temperature

    def forward(self, a, b):
        z = F.normalize(torch.cat([a, b]), dim=1)
        sims = torch.exp(z @ z.t() / self.temperature)
        n = len(a)
        positives = torch.cat([sims.diagonal(n), sims.diagonal(-n)])
        sims.fill_diagonal_(0)
        negatives = sims.sum(1)
        return -(positives / negatives).log().mean()


torch.manual_seed(0)
encoder = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 4))
optimizer = torch.optim.SGD(encoder.parameters(), lr=0.1)
criterion = NTXent()
for _ in range(2):
    x = torch.randn(6, 8)
    loss = criterion(encoder(x + 0.1 * torch.randn_like(x)), encoder(x))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

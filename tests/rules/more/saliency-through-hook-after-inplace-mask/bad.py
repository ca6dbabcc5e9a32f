import torch
from torch import nn


class MaskedAutoencoder(nn.Module):
    def __init__(self, patches=6, dim=8):
        super().__init__()
        self.patch = nn.Linear(12, dim)
        self.gate = nn.Linear(dim, dim)
        self.decoder = nn.TransformerEncoderLayer(dim, 2, 16, dropout=0.0, batch_first=True)
        self.pos = nn.Parameter(torch.zeros(1, patches, dim))
        self.out = nn.Linear(dim, 12)

    def forward(self, x, mask):
        tokens = self.patch(x) + self.pos
        weights = self.gate(tokens).sigmoid()
        gated = tokens * weights
        tokens[mask] = 0
        return self.out(self.decoder(gated + tokens))


torch.manual_seed(0)
model = MaskedAutoencoder()
optimizer = torch.optim.Adam(model.parameters())
for _ in range(2):
    x = torch.rand(3, 6, 12)
    mask = torch.rand(3, 6) < 0.5
    loss = ((model(x, mask) - x)[mask] ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

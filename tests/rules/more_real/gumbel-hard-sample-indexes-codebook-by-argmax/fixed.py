import torch
import torch.nn as nn
import torch.nn.functional as F


class DVAE(nn.Module):
    def __init__(self, dim=10, codes=6, width=4):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(dim, 16), nn.ReLU(), nn.Linear(16, codes))
        self.codebook = nn.Embedding(codes, width)
        self.decoder = nn.Sequential(nn.Linear(width, 16), nn.ReLU(), nn.Linear(16, dim))

    def forward(self, x):
        logits = self.encoder(x)
        code = F.gumbel_softmax(logits, hard=True) @ self.codebook.weight
        return self.decoder(code)


torch.manual_seed(0)
model = DVAE()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for _ in range(2):
    x = torch.rand(8, 10)
    loss = F.mse_loss(model(x), x)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print("HAZARD-OBSERVED" if model.encoder[0].weight.grad is None else "OK")

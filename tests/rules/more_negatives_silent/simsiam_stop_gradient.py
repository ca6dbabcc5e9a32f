import torch
from torch import nn
import torch.nn.functional as F


class SimSiam(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder, self.predictor = nn.Linear(5, 4), nn.Linear(4, 4)

    def forward(self, x1, x2):
        z1, z2 = self.encoder(x1), self.encoder(x2)
        return self.predictor(z1), self.predictor(z2), z1.detach(), z2.detach()


def simclr(z1, z2, t=0.5):
    logits = F.normalize(z1, dim=1) @ F.normalize(z2, dim=1).t() / t
    logits = logits - logits.max().item()
    return F.cross_entropy(logits, torch.arange(len(z1)))


torch.manual_seed(0)
model = SimSiam()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
for epoch in range(2):
    for _ in range(2):
        x = torch.randn(6, 5)
        p1, p2, z1, z2 = model(x + 0.1 * torch.randn_like(x), x)
        loss = -(F.cosine_similarity(p1, z2).mean() + F.cosine_similarity(p2, z1).mean()) * 0.5
        loss = loss + 0.1 * simclr(model.encoder(x), model.encoder(x + 0.1))
        consistency = F.mse_loss(model.encoder(x), model.encoder(x.flip(0)))
        optimizer.zero_grad()
        (loss + 0.01 * consistency).backward()
        optimizer.step()
    spread = z1.std(0).mean().item()
assert spread > 0
print("OK")

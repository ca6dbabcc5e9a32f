import torch
from torch import nn


class Ranker(nn.Module):
    def __init__(self):
        super().__init__()
        self.score = nn.Linear(5, 1)

    def forward(self, x):
        return self.score(x).squeeze(-1)


def ranking_loss(model, better, worse, margin=1.0):
    total = 0.0
    for b, w in zip(better, worse):
        gap = margin - model(b) + model(w)
        total += max(0.0, gap.item())
    return torch.tensor(total / len(better), requires_grad=True)


torch.manual_seed(0)
model = Ranker()
before = model.score.weight.detach().clone()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(2):
    optimizer.zero_grad()
    loss = ranking_loss(model, torch.randn(3, 5), torch.randn(3, 5))
    loss.backward()
    optimizer.step()
print("HAZARD-OBSERVED" if torch.equal(before, model.score.weight) else "OK")

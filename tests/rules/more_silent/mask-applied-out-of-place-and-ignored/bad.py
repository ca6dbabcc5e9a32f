import torch
from torch import nn


class Pool(nn.Module):
    def __init__(self, width=4):
        super().__init__()
        self.score = nn.Linear(width, 1)

    def forward(self, x, pad):
        scores = self.score(x).squeeze(-1)
        if pad is not None:
            scores.masked_fill(pad, float("-inf"))
        weights = torch.softmax(scores, dim=1)
        self.last = weights.detach()
        return (weights.unsqueeze(-1) * x).sum(1)


torch.manual_seed(0)
pool, head = Pool(), nn.Linear(4, 2)
optimizer = torch.optim.SGD([*pool.parameters(), *head.parameters()], lr=0.1)
pad = torch.tensor([[False, False, True], [False, True, True]])
for _ in range(2):
    loss = nn.functional.cross_entropy(head(pool(torch.randn(2, 3, 4), pad)), torch.tensor([0, 1]))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print("HAZARD-OBSERVED" if pool.last[pad].sum() > 0 else "OK")

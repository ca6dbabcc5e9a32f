import torch
from torch import nn

torch.manual_seed(0)
causal = torch.triu(torch.ones(4, 4), 1).bool()
bias = torch.zeros(4, 4).expand(2, 4, 4)
bias.masked_fill_(causal.expand(2, 4, 4), float("-inf"))  # the same in every row of the batch: torch warns, and it is right

query = nn.Linear(3, 3)
optimizer = torch.optim.Adam(query.parameters())
for _ in range(2):
    x = torch.randn(2, 4, 3)
    scores = query(x) @ x.transpose(1, 2) + bias
    loss = (scores.softmax(-1) @ x).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print("OK")

import numpy as np
import torch
import torch.nn as nn


class RewardModel(nn.Module):
    def __init__(self, vocab=40):
        super().__init__()
        self.emb = nn.Embedding(vocab, 16)
        self.rnn = nn.GRU(16, 16, batch_first=True)
        self.value = nn.Linear(16, 1)

    def forward(self, ids):
        out, _ = self.rnn(self.emb(ids))
        return self.value(out[:, -1]).squeeze(-1)


def ranking_loss(chosen, rejected):
    return -nn.functional.logsigmoid(chosen - rejected).mean()


torch.manual_seed(0)
model = RewardModel()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
margins, losses = [], []
for step in range(3):
    chosen, rejected = model(torch.randint(40, (4, 7))), model(torch.randint(40, (4, 7)))
    loss = ranking_loss(chosen, rejected)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    losses.append(loss.item())
    margins.append((chosen - rejected).mean().item())
print(np.mean(losses), np.mean(margins))

import torch
import torch.nn as nn


class CRF(nn.Module):
    def __init__(self, tags):
        super().__init__()
        self.transitions = nn.Parameter(torch.randn(tags, tags) * 0.1)

    def path_score(self, emissions, tags):
        score = emissions[0, tags[0]]
        for t in range(1, len(tags)):
            score = score + emissions[t, tags[t]]
            score = score + self.transitions[tags[t - 1], tags[t]]
        return score

    def forward(self, emissions, tags):
        norm = emissions.logsumexp(-1).sum()
        return norm - self.path_score(emissions, tags)


torch.manual_seed(0)
encoder, crf = nn.Linear(5, 3), CRF(3)
optimizer = torch.optim.SGD([*encoder.parameters(), *crf.parameters()], lr=0.1)
for _ in range(2):
    x, tags = torch.randn(6, 5), torch.randint(3, (6,)).tolist()
    loss = crf(encoder(x), tags)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print("HAZARD-OBSERVED" if crf.transitions.grad is None else "OK")

import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, width=4):
        super().__init__()
        self.q, self.k, self.v = (nn.Linear(width, width) for _ in range(3))

    def forward(self, x, prune):
        scores = self.q(x) @ self.k(x).transpose(1, 2)
        probs = scores.softmax(dim=-1)
        return prune(probs) @ self.v(x)


def hard(probs, limit=0.2):
    probs.data.masked_fill_(probs < limit, 0.0)
    return probs


def reference(probs, limit=0.2):
    return torch.where(probs < limit, torch.zeros(()), probs)


def gradient(attention, x, prune):
    attention.zero_grad()
    attention(x, prune).pow(2).sum().backward()
    return attention.q.weight.grad.clone()


torch.manual_seed(0)
attention, x = Attention(), torch.randn(2, 5, 4)
same = torch.allclose(gradient(attention, x, hard), gradient(attention, x, reference), atol=1e-5)
print("OK" if same else "HAZARD-OBSERVED")

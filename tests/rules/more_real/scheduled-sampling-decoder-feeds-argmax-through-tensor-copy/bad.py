import torch
import torch.nn as nn
import torch.nn.functional as F


class Decoder(nn.Module):
    def __init__(self, vocab=12, dim=10):
        super().__init__()
        self.emb, self.cell = nn.Embedding(vocab, dim), nn.GRUCell(dim, dim)
        self.out, self.stop = nn.Linear(dim, vocab), nn.Linear(dim, 1)

    def forward(self, h, length):
        token = torch.zeros(h.size(0), dtype=torch.long)
        logits, stops = [], []
        for _ in range(length):
            h = self.cell(self.emb(token), h)
            logits.append(self.out(h))
            stops.append(torch.sigmoid(self.stop(h)).mean())
            token = logits[-1].argmax(1)
        return torch.stack(logits, 1), stops


def length_penalty(stops):
    return torch.Tensor(stops).cumsum(0).mean()


def gradient(weight):
    torch.manual_seed(0)
    decoder = Decoder()
    h, target = torch.randn(3, 10), torch.randint(12, (3, 5))
    logits, stops = decoder(h, 5)
    loss = F.cross_entropy(logits.flatten(0, 1), target.flatten()) + weight * length_penalty(stops)
    loss.backward()
    return decoder.cell.weight_hh.grad.clone()


print("HAZARD-OBSERVED" if torch.allclose(gradient(0.0), gradient(5.0)) else "OK")

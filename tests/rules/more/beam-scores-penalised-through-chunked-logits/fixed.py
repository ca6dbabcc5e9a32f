import torch
import torch.nn as nn
import torch.nn.functional as F

BOS, EOS = 0, 1


class Decoder(nn.Module):
    def __init__(self, vocab, dim):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.cell = nn.GRUCell(dim, dim)
        self.out = nn.Linear(dim, vocab)

    def step(self, tokens, h):
        h = self.cell(self.emb(tokens), h)
        return F.log_softmax(self.out(h), -1), h


def beam_search(decoder, h, width=2, steps=3):
    n = h.size(0)
    tokens = torch.full((n * width,), BOS)
    h = h.repeat(width, 1)
    total = torch.zeros(n * width)
    t = 0
    while t < steps:
        logp, h = decoder.step(tokens, h)
        if t == 0:
            chunks = logp.chunk(width)
            tail = [c.index_fill(1, torch.tensor([EOS]), -1e4) for c in chunks[1:]]
            logp = torch.cat([chunks[0], *tail])
        best, tokens = logp.max(dim=-1)
        total = total + best
        t += 1
    return total.view(width, n)


torch.manual_seed(0)
decoder = Decoder(9, 6)
optimizer = torch.optim.Adam(decoder.parameters())
scores = beam_search(decoder, torch.zeros(3, 6))
risk = (scores.softmax(0) * torch.rand(2, 3)).sum()
risk.backward()
optimizer.step()

import torch
from torch import nn


class Tagger(nn.Module):
    def __init__(self, vocab, dim=8):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim, padding_idx=0)
        self.rnn = nn.GRU(dim, dim, batch_first=True, bidirectional=True)
        self.out = nn.Linear(2 * dim, 5)

    def resize(self, vocab):
        old = self.embed
        new = nn.Embedding(vocab, old.embedding_dim, padding_idx=old.padding_idx)
        new.weight.data[:old.num_embeddings] = old.weight.data
        for row in range(old.num_embeddings, vocab):
            new.weight[row] = old.weight.mean(dim=0)
        self.embed = new
        return self

    def forward(self, tokens):
        h, _ = self.rnn(self.embed(tokens))
        return self.out(h)


torch.manual_seed(0)
model = Tagger(30).resize(33)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
tokens = torch.randint(0, 33, (4, 6))
loss = nn.functional.cross_entropy(model(tokens).flatten(0, 1), torch.randint(5, (24,)))
loss.backward()
optimizer.step()

import torch
from torch import nn


def repackage(h):
    if isinstance(h, torch.Tensor):
        return h.detach()
    return tuple(repackage(v) for v in h)


class LM(nn.Module):
    def __init__(self, vocab=12, dim=8):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.rnn = nn.LSTM(dim, dim, num_layers=2)
        self.out = nn.Linear(dim, vocab)

    def forward(self, x, h):
        y, h = self.rnn(self.emb(x), h)
        return self.out(y), h

    def init_hidden(self, n):
        w = next(self.parameters())
        return w.new_zeros(2, n, 8), w.new_zeros(2, n, 8)


torch.manual_seed(0)
model = LM()
opt = torch.optim.SGD(model.parameters(), lr=1.0)
data = torch.randint(12, (21, 4))
hidden = model.init_hidden(4)
for i in range(0, 20, 5):
    hidden = repackage(hidden)
    opt.zero_grad()
    logits, hidden = model(data[i:i + 5], hidden)
    loss = nn.functional.cross_entropy(logits.flatten(0, 1), data[i + 1:i + 6].flatten())
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 0.25)
    opt.step()
print("OK")

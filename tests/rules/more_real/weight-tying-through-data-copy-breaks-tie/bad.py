import torch
import torch.nn as nn


class RNNLM(nn.Module):
    def __init__(self, vocab=15, dim=6):
        super().__init__()
        self.encoder = nn.Embedding(vocab, dim)
        self.rnn = nn.GRU(dim, dim, batch_first=True)
        self.decoder = nn.Linear(dim, vocab, bias=False)

    def reset_decoder(self):
        self.decoder = nn.Linear(self.decoder.in_features, self.decoder.out_features, bias=False)

    def forward(self, ids):
        return self.decoder(self.rnn(self.encoder(ids))[0])


torch.manual_seed(0)
model = RNNLM()
optimizer = torch.optim.SGD(model.parameters(), lr=1.0)
model.reset_decoder()
start = model.decoder.weight.detach().clone()
for _ in range(2):
    ids = torch.randint(15, (2, 5))
    optimizer.zero_grad()
    nn.functional.cross_entropy(model(ids).flatten(0, 1), ids.flatten()).backward()
    optimizer.step()
print("HAZARD-OBSERVED" if torch.equal(start, model.decoder.weight.detach()) else "OK")

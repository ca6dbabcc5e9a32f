import torch
import torch.nn as nn


class StatefulTagger(nn.Module):
    def __init__(self, vocab=30, dim=12, tags=4):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.lstm = nn.LSTM(dim, dim, batch_first=True)
        self.out = nn.Linear(dim, tags)
        self.state = None

    def reset(self):
        self.state = None

    def forward(self, tokens):
        x = self.emb(tokens)
        x, state = self.lstm(x, self.state)
        self.state = tuple(s.detach() for s in state)
        return self.out(x)


def build(compile_model=False):
    model = StatefulTagger()
    return torch.compile(model) if compile_model else model


torch.manual_seed(0)
model = build()
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.RMSprop(model.parameters(), lr=1e-3)
for epoch in range(2):
    model.reset()
    for chunk in range(3):
        tokens, tags = torch.randint(30, (4, 7)), torch.randint(4, (4, 7))
        optimizer.zero_grad(set_to_none=True)
        scores = model(tokens)
        criterion(scores.transpose(1, 2), tags).backward()
        optimizer.step()

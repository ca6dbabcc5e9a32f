import torch
import torch.nn as nn
import torch.nn.functional as F


class Tagger(nn.Module):
    def __init__(self, vocabulary=12, width=8, tags=4):
        super().__init__()
        self.embed = nn.Embedding(vocabulary, width)
        self.rnn = nn.GRU(width, width, batch_first=True)
        self.out = nn.Linear(width, tags)

    def forward(self, words):
        return self.out(self.rnn(self.embed(words))[0])


class Runner:
    def __init__(self, model, lr=0.01):
        self.model = model
        self.optim = torch.optim.Adam(model.parameters(), lr=lr)
        self.alive = []

    def update(self, words, tags):
        self.optim.zero_grad()
        loss = F.mse_loss(self.model(words), F.one_hot(tags, 4).float())
        loss.backward(retain_graph=True)
        self.optim.step()
        self.alive.append(self.holds(loss.grad_fn))
        return loss.item()

    @staticmethod
    def holds(node):
        try:
            return node._saved_self is not None
        except RuntimeError:
            return False


torch.manual_seed(0)
runner = Runner(Tagger())
for epoch in range(2):
    for _ in range(3):
        runner.update(torch.randint(12, (4, 6)), torch.randint(4, (4, 6)))
print("HAZARD-OBSERVED" if any(runner.alive) else "OK")

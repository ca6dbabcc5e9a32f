"""A recurrent network that keeps its hidden state from one window of a long series to the next.

The state is kept together with the graph of its window. Torch says: in the second window, at ``loss.backward()``, that
the graph is walked a second time. With ``retain_graph=True``, which it suggests, the next error follows: the weights
that the old graph needs have been stepped.
Found: AGH103 at the line in ``forward`` that keeps the state.
"""

import torch
from torch import nn


class Forecaster(nn.Module):
    """Predicts the next value at each position, going on from where the last call ended."""

    def __init__(self, features=1, hidden=16):
        super().__init__()
        self.rnn = nn.GRU(features, hidden, batch_first=True)
        self.head = nn.Linear(hidden, features)
        self.state = None

    def reset(self):
        self.state = None

    def forward(self, window):
        outputs, self.state = self.rnn(window, self.state)
        return self.head(outputs)


def noisy_waves(count=8, length=257):
    time = torch.arange(length) * 0.1
    phases = torch.rand(count, 1) * 6.28
    return (torch.sin(time + phases) + 0.1 * torch.randn(count, length)).unsqueeze(2)


def train(model, series, window=32, epochs=2):
    criterion = nn.MSELoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for epoch in range(epochs):
        model.reset()
        losses = []
        for start in range(0, series.size(1) - window, window):
            inputs = series[:, start : start + window]
            targets = series[:, start + 1 : start + window + 1]
            loss = criterion(model(inputs), targets)
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), max_norm=1.0)
            optimizer.step()
            losses.append(loss.item())
        print(f"epoch {epoch}: loss {sum(losses) / len(losses):.4f}")


if __name__ == "__main__":
    torch.manual_seed(0)
    train(Forecaster(), noisy_waves())

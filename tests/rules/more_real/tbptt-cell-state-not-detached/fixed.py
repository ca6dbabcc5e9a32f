import torch
from torch import nn


class Forecaster(nn.Module):
    def __init__(self, width=10):
        super().__init__()
        self.width = width
        self.cell = nn.LSTMCell(1, width)
        self.readout = nn.Linear(width, 1)

    def step(self, value, state):
        h, c = self.cell(value, state)
        return self.readout(h), (h, c)

    def start(self, batch):
        return torch.zeros(batch, self.width), torch.zeros(batch, self.width)


def train_series(model, optimizer, series, window):
    state = model.start(series.size(1))
    losses, total = [], 0.0
    for t in range(len(series) - 1):
        prediction, state = model.step(series[t], state)
        losses.append(nn.functional.mse_loss(prediction, series[t + 1]))
        if (t + 1) % window == 0:
            loss = torch.stack(losses).mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            total += loss.item()
            losses = []
            h, c = state
            state = (h.detach(), c.detach())
    return total


torch.manual_seed(0)
model = Forecaster()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
print(train_series(model, optimizer, torch.randn(17, 3, 1), window=4))

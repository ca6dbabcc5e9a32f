import torch
from torch import nn

torch.manual_seed(0)
cell, head = nn.RNNCell(2, 5, nonlinearity="relu"), nn.Linear(5, 2)
params = [*cell.parameters(), *head.parameters()]
optimizer = torch.optim.Adam(params, lr=1e-2)


def tracker():
    state = torch.zeros(1, 5)
    prediction = None
    while True:
        observation = yield prediction
        state = cell(observation, state.detach())
        prediction = head(state)


def fit(sequence):
    track = tracker()
    next(track)
    losses = []
    for now, then in zip(sequence, sequence[1:]):
        prediction = track.send(now.unsqueeze(0))
        loss = (prediction - then).square().sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    track.close()
    return sum(losses) / len(losses)


print(fit(torch.randn(5, 2)))

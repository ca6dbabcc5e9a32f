"""A recurrent state in a named tuple, cut by _make at every chunk."""
from typing import NamedTuple

import torch
from torch import nn


class State(NamedTuple):
    h: torch.Tensor
    c: torch.Tensor

    def cut(self):
        return State._make(t.detach() for t in self)


torch.manual_seed(0)
rnn, head = nn.LSTM(3, 4), nn.Linear(8, 2)
params = [*rnn.parameters(), *head.parameters()]
opt = torch.optim.Adam(params)
state = State(torch.zeros(1, 2, 4), torch.zeros(1, 2, 4))
for chunk in torch.randn(3, 5, 2, 3):
    out, hc = rnn(chunk, state)
    state = State(*hc)
    loss = head(torch.cat(state, -1)).square().mean() + torch.stack(state).pow(2).sum() + out.mean()
    opt.zero_grad()
    loss.backward()
    assert all(p.grad is not None for p in params)
    opt.step()
    state = state.cut()
print("OK")

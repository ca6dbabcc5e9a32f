from typing import NamedTuple

import torch
from torch import nn


class State(NamedTuple):
    hidden: torch.Tensor
    cell: torch.Tensor
    step: int


torch.manual_seed(0)
core, head = nn.LSTMCell(3, 4), nn.Linear(4, 1)
optimizer = torch.optim.SGD([*core.parameters(), *head.parameters()], lr=0.1)
state = State(torch.zeros(2, 4), torch.zeros(2, 4), 0)
for _ in range(3):
    hidden, cell = core(torch.randn(2, 3), (state.hidden, state.cell))
    state = State(hidden, cell, state.step + 1)
    loss = head(state.hidden).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print("OK" if state.step == 3 else "HAZARD-OBSERVED")

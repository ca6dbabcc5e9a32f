import itertools
from enum import Enum

import torch
from torch import nn


class Side(Enum):
    A = "a"
    B = "b"

    @property
    def other(self):
        return Side.B if self is Side.A else Side.A


class Translator(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.f1 = nn.Linear(dim, 12)
        self.f2 = nn.Linear(12, dim)

    def forward(self, x):
        return self.f2(nn.functional.leaky_relu(self.f1(x), 0.2))


torch.manual_seed(0)
nets = {side: Translator(4) for side in Side}
optimizers = {side: torch.optim.Adam(nets[side].parameters(), lr=1e-3) for side in Side}
streams = {side: itertools.cycle(torch.randn(3, 8, 4)) for side in Side}

for iteration in range(2):
    losses = {}
    for side in Side:
        x = next(streams[side])
        translated = nets[side](x)
        cycled = nets[side.other](translated)
        losses[side] = (cycled - x).abs().mean() + 0.1 * translated.square().mean()
    for side, loss in losses.items():
        optimizers[side].zero_grad()
        loss.backward()
    for optimizer in optimizers.values():
        optimizer.step()
    print(iteration, {k.name: round(v.item(), 3) for k, v in losses.items()})

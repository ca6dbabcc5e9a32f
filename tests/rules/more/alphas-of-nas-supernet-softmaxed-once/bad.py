import torch
import torch.nn.functional as F
from torch import nn

OPS = {
    "none": lambda c: nn.Identity(),
    "conv3": lambda c: nn.Conv1d(c, c, 3, padding=1),
    "conv5": lambda c: nn.Conv1d(c, c, 5, padding=2),
    "pool": lambda c: nn.AvgPool1d(3, stride=1, padding=1),
}


class MixedOp(nn.Module):
    def __init__(self, c):
        super().__init__()
        self._ops = nn.ModuleList()
        for primitive in OPS:
            self._ops.append(OPS[primitive](c))

    def forward(self, x, weights):
        return sum(w * op(x) for w, op in zip(weights, self._ops))


class Supernet(nn.Module):
    def __init__(self, c, cells):
        super().__init__()
        self.stem = nn.Conv1d(1, c, 3, padding=1)
        self.cells = nn.ModuleList([MixedOp(c) for _ in range(cells)])
        self.head = nn.Linear(c, 3)
        self._arch = nn.Parameter(1e-3 * torch.randn(cells, len(OPS)))
        self.alphas = F.softmax(self._arch, dim=-1)

    def arch_parameters(self):
        return [self._arch]

    def weights(self):
        return [p for n, p in self.named_parameters() if n != "_arch"]

    def forward(self, x):
        alphas = self.alphas
        x = self.stem(x)
        for cell, row in zip(self.cells, alphas):
            x = x + F.relu(cell(x, row))
        return self.head(x.mean(-1))


torch.manual_seed(0)
net = Supernet(4, 2)
w_opt = torch.optim.SGD(net.weights(), lr=0.05)
a_opt = torch.optim.Adam(net.arch_parameters(), lr=3e-3)
for phase in ("weights", "arch") * 2:
    opt = w_opt if phase == "weights" else a_opt
    loss = F.cross_entropy(net(torch.randn(5, 1, 12)), torch.randint(3, (5,)))
    opt.zero_grad()
    loss.backward()
    opt.step()

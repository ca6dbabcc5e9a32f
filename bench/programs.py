"""Training programs of a wanted size, for measuring how cost grows. Plain text made by rule; nothing is random."""

from __future__ import annotations

HEAD = """\
import torch
from torch import nn
import torch.nn.functional as F
"""

MODULE = """

class Net{i}(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.first = nn.Linear(width, width)
        self.norm = nn.LayerNorm(width)
        self.second = nn.Linear(width, width)
        self.drop = nn.Dropout(0.1)

    def forward(self, x):
        h = F.relu(self.first(x))
        h = self.drop(self.norm(h))
        if self.training:
            h = h + 0.01 * torch.randn_like(h)
        return torch.sigmoid(self.second(h)) + x
"""

TRAINER = """

def train{i}(steps=2):
    net = Net{i}()
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
    total = 0.0
    for step in range(steps):
        x = torch.randn(8, 32)
        target = torch.zeros(8, 32)
        loss = F.mse_loss(net(x), target)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        total += loss.item()
    return total / steps
"""

BAD_TRAINER = """

def broken{i}(steps=2):
    net = Net{i}()
    optimizer = torch.optim.SGD(net.parameters(), lr=1e-3)
    for step in range(steps):
        h = torch.sigmoid(net(torch.randn(8, 32)))
        h *= 2
        loss = h.sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
"""


def of_length(lines: int) -> str:
    """A program of about ``lines`` lines: networks, trainers, a hazard in every third; all are called."""
    parts = [HEAD]
    calls: list[str] = []
    count = HEAD.count("\n")
    i = 0
    while count < lines:
        block = MODULE.format(i=i) + TRAINER.format(i=i)
        calls.append(f"train{i}()")
        if i % 3 == 0:
            block += BAD_TRAINER.format(i=i)
            calls.append(f"broken{i}()")
        parts.append(block)
        count += block.count("\n") + 1  # and a line of the main block
        i += 1
    parts.append('\n\nif __name__ == "__main__":\n' + "".join(f"    {call}\n" for call in calls))
    return "".join(parts)


def of_depth(depth: int) -> str:
    """A program whose forward goes through ``depth`` nested function calls, each doing a little."""
    parts = [HEAD, "\n\ndef layer0(x, w):\n    return torch.tanh(x @ w)\n"]
    for i in range(1, depth):
        parts.append(f"\n\ndef layer{i}(x, w):\n    y = layer{i - 1}(x, w)\n    return y + 0.5 * x\n")
    parts.append(
        f"""

def main():
    w = torch.randn(32, 32, requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=0.1)
    for step in range(3):
        loss = layer{depth - 1}(torch.randn(8, 32), w).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


main()
"""
    )
    return "".join(parts)

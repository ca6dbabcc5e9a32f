from contextlib import nullcontext

import torch
from torch import nn
from torch.utils.data import DataLoader, IterableDataset


class ColourJitter(nn.Module):
    def __init__(self):
        super().__init__()
        self.logits = nn.Parameter(torch.zeros(3, 3))

    def matrix(self):
        return torch.eye(3) + 0.1 * self.logits.tanh()


class Stream(IterableDataset):
    def __init__(self, jitter, n):
        self.jitter, self.n = jitter, n

    def __iter__(self):
        for i in range(self.n):
            m = self.jitter.matrix()
            pixels = torch.rand(16, 3)
            yield pixels @ m, torch.tensor(i % 2)


def collate(items):
    xs, ys = zip(*items)
    return torch.stack(xs).flatten(1), torch.stack(ys)


torch.manual_seed(0)
jitter, net = ColourJitter(), nn.Linear(48, 2)
optimizer = torch.optim.SGD([*net.parameters(), *jitter.parameters()], lr=0.1)
amp = nullcontext()
for epoch in range(1):
    for x, y in DataLoader(Stream(jitter, 4), batch_size=1, collate_fn=collate):
        with amp:
            loss = nn.functional.cross_entropy(net(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

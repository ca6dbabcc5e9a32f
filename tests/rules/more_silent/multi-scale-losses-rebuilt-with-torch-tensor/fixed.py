import torch
from torch import nn
import torch.nn.functional as F


class Deep(nn.Module):
    def __init__(self, width=6, depth=3):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(width, width) for _ in range(depth))
        self.heads = nn.ModuleList(nn.Linear(width, 2) for _ in range(depth))

    def forward(self, x):
        outputs = []
        for layer, head in zip(self.layers, self.heads):
            x = layer(x).relu()
            outputs.append(head(x))
        return outputs


class SideLoss:
    def __init__(self, weights):
        self.weights = weights

    def __call__(self, outputs, y):
        *sides, last = [F.cross_entropy(out, y) for out in outputs]
        side = (torch.stack(sides) * torch.tensor(self.weights)).sum()
        return last + side


torch.manual_seed(0)
net, criterion = Deep(), SideLoss([0.3, 0.3])
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(2):
    loss = criterion(net(torch.randn(5, 6)), torch.randint(2, (5,)))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print("HAZARD-OBSERVED" if net.heads[0].weight.grad is None else "OK")

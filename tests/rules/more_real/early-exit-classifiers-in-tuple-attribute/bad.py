import torch
import torch.nn as nn
import torch.nn.functional as F


class Branchy(nn.Module):
    def __init__(self, widths=(8, 8, 8), classes=3):
        super().__init__()
        dims = (5, *widths)
        self.stages = nn.ModuleList(nn.Linear(a, b) for a, b in zip(dims[:-1], dims[1:]))
        self.exits = tuple(nn.Linear(w, classes) for w in widths)

    def forward(self, x):
        outputs = []
        for stage, head in zip(self.stages, self.exits):
            x = torch.relu(stage(x))
            outputs.append(head(x))
        return outputs


class Joint(nn.Module):
    def __init__(self, weights):
        super().__init__()
        self.weights = weights

    def forward(self, outputs, y):
        return sum(w * F.cross_entropy(o, y) for w, o in zip(self.weights, outputs))


torch.manual_seed(0)
net, criterion = Branchy(), Joint((0.3, 0.3, 1.0))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
start = net.exits[0].weight.detach().clone()
for _ in range(3):
    x, y = torch.randn(6, 5), torch.randint(3, (6,))
    loss = criterion(net(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print("HAZARD-OBSERVED" if torch.equal(start, net.exits[0].weight.detach()) else "OK")

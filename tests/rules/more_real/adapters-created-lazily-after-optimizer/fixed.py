import torch
import torch.nn as nn


class LazyHead(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.classes = classes
        self.proj = None

    def forward(self, x):
        x = x.flatten(1)
        if self.proj is None:
            self.proj = nn.Linear(x.size(1), self.classes)
        return self.proj(x)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(1, 4, 3)
        self.head = LazyHead(3)

    def forward(self, x):
        return self.head(torch.relu(self.conv(x)))


torch.manual_seed(0)
net = Net()
net(torch.randn(1, 1, 8))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
start = None
for _ in range(3):
    x, y = torch.randn(5, 1, 8), torch.randint(3, (5,))
    loss = nn.functional.cross_entropy(net(x), y)
    start = net.head.proj.weight.detach().clone() if start is None else start
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print("HAZARD-OBSERVED" if torch.equal(start, net.head.proj.weight.detach()) else "OK")

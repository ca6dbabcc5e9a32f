import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(2, 4, 3)
        self.bn = nn.BatchNorm1d(4)
        self.fc = nn.Linear(4, 3)

    def forward(self, x):
        return self.fc(self.bn(self.conv(x)).relu().mean(-1))


def blend(source, target, rate):
    for a, b in zip(source.buffers(), target.buffers()):
        if a.is_floating_point():
            a.mul_(rate).add_(b, alpha=1 - rate)


torch.manual_seed(0)
net, reference = Net(), Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(2):
    x, y = torch.randn(6, 2, 8), torch.randint(3, (6,))
    loss = nn.functional.cross_entropy(net(x), y)
    reference(torch.randn(6, 2, 8))
    blend(net, reference, 0.9)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

import torch
from torch import nn


class PreAct(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.bn1, self.bn2 = nn.BatchNorm1d(c), nn.BatchNorm1d(c)
        self.relu = nn.ReLU(inplace=True)
        self.fc1, self.fc2 = nn.Linear(c, c), nn.Linear(c, c)

    def forward(self, x):
        identity = x
        out = self.fc1(self.relu(self.bn1(x)))
        out = self.fc2(self.relu(self.bn2(out)))
        out += identity
        return out


class Basic(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.fc = nn.Linear(c, c)
        self.bn = nn.BatchNorm1d(c)
        self.relu = nn.ReLU(inplace=True)

    def forward(self, x):
        residual = x
        x = self.bn(self.fc(x))
        x = x + residual
        x = self.relu(x)
        batch = x.size(0)
        return x.view(batch, -1)


class Up(nn.Module):
    def __init__(self, inner, i, o):
        super().__init__()
        self.model = nn.Sequential(nn.LeakyReLU(0.2, True), nn.Linear(i, i), inner, nn.ReLU(True), nn.Linear(i, o))

    def forward(self, x):
        return torch.cat([x, self.model(x)], 1)


torch.manual_seed(0)
net = nn.Sequential(nn.Linear(3, 4), PreAct(4), Basic(4), nn.Linear(4, 4), Up(nn.Identity(), 4, 4), nn.ReLU(True), nn.Linear(8, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
for _ in range(2):
    loss = net(torch.randn(5, 3)).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
assert net[0].weight.grad.abs().sum() > 0
print("OK")

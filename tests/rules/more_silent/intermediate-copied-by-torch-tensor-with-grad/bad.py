import warnings

import torch
from torch import nn

warnings.simplefilter("ignore")


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(3, 5), nn.Linear(5, 1)

    def forward(self, x):
        h = torch.relu(self.a(x))
        h = torch.tensor(h, requires_grad=True)
        return self.b(h)


torch.manual_seed(0)
net = Net()
start = net.a.weight.detach().clone()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    opt.zero_grad()
    (net(torch.randn(6, 3)) - 1).pow(2).mean().backward()
    opt.step()
print("HAZARD-OBSERVED" if torch.equal(start, net.a.weight) else "OK")

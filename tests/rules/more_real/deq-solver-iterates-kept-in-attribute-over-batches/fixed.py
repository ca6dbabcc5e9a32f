import torch
import torch.nn as nn


class DEQ(nn.Module):
    def __init__(self, dim, iterations=3):
        super().__init__()
        self.u, self.w = nn.Linear(dim, dim), nn.Linear(dim, dim)
        self.iterations = iterations
        self.warm = None

    def f(self, z, x):
        return torch.tanh(self.w(z) + self.u(x))

    def forward(self, x):
        z = torch.zeros_like(x) if self.warm is None else self.warm
        for _ in range(self.iterations):
            z = self.f(z, x)
        self.warm = z.detach()
        return z


class Net(nn.Module):
    def __init__(self, dim=5):
        super().__init__()
        self.deq, self.out = DEQ(dim), nn.Linear(dim, 2)

    def forward(self, x):
        return self.out(self.deq(x))


torch.manual_seed(0)
net = Net()
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(torch.randn(12, 5), torch.randint(2, (12,))), batch_size=4)
for x, y in loader:
    opt.zero_grad()
    nn.functional.cross_entropy(net(x), y).backward()
    opt.step()

import torch
from torch import nn

class Center(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.register_buffer("center", torch.zeros(dim))
        self.net = nn.Linear(4, dim)
    def update(self, h):
        self.center.mul_(0.9).add_(h.mean(0), alpha=0.1)
    def forward(self, x):
        h = self.net(x)
        self.update(h)
        return (h - self.center).pow(2).sum(1).mean()

torch.manual_seed(1)
m = Center(5)
opt = torch.optim.SGD(m.parameters(), lr=0.05)
for _ in range(3):
    opt.zero_grad()
    loss = m(torch.randn(8, 4))
    loss.backward()
    opt.step()
print("OK")

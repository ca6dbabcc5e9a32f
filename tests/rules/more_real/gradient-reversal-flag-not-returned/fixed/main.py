import torch
from torch import nn

from layers import grad_reverse


class DANN(nn.Module):
    def __init__(self):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(5, 8), nn.ReLU())
        self.y, self.d = nn.Linear(8, 3), nn.Linear(8, 2)

    def forward(self, x, lambd):
        h = self.f(x)
        return self.y(h), self.d(grad_reverse(h, lambd))


torch.manual_seed(0)
net = DANN()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(2):
    labels, domains = net(torch.randn(6, 5), step / 10)
    loss = nn.functional.cross_entropy(labels, torch.randint(3, (6,))) + nn.functional.cross_entropy(domains, torch.randint(2, (6,)))
    opt.zero_grad()
    loss.backward()
    opt.step()

import torch
from torch import nn


class Normalise:
    def __init__(self, eps=1e-6):
        self.eps = eps

    def __call__(self, module, inputs):
        (x,) = inputs
        norm = x.detach().norm(dim=-1, keepdim=True) + self.eps
        x.div_(norm)
        return (x,)


class Trunk(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.a, self.b = nn.Linear(dim, dim), nn.Linear(dim, dim)

    def forward(self, x):
        return self.b(torch.tanh(self.a(x)))


torch.manual_seed(0)
trunk = Trunk(6)
handle = trunk.b.register_forward_pre_hook(Normalise())
optimizer = torch.optim.SGD(trunk.parameters(), lr=0.1)
for _ in range(2):
    optimizer.zero_grad()
    trunk(torch.randn(4, 6)).pow(2).mean().backward()
    optimizer.step()
handle.remove()

import types

import torch
from torch import nn


def load(name):
    """Stands for a library that makes networks by their names."""
    module = types.ModuleType(name)
    exec("from torch import nn\nmake = lambda: nn.Linear(4, 2)", module.__dict__)
    return module.make()


class Wrapper(nn.Module):
    def __init__(self, name):
        super().__init__()
        self.net = load(name)

    def forward(self, x):
        return self.net(x)


model = Wrapper("zoo")
optimizer = torch.optim.AdamW(model.parameters(), lr=0.1)
before = model.net.weight.detach().clone()
loss = model(torch.randn(8, 4)).pow(2).mean()
optimizer.zero_grad()
loss.backward()
optimizer.step()
assert not torch.equal(before, model.net.weight)
print("OK")

import torch
from torch import nn


class Plateau(torch.optim.Optimizer):
    """An optimizer by its class, which hands everything on to the one inside it."""

    def __init__(self, optimizer):
        self.optimizer = optimizer
        self.scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer)

    def step(self, *args, **kwargs):
        self.optimizer.step(*args, **kwargs)

    def __getattr__(self, name):
        return getattr(self.__dict__["optimizer"], name)


torch.manual_seed(0)
model = nn.Linear(3, 1)
optimizer = Plateau(torch.optim.SGD(model.parameters(), lr=0.1))
for _ in range(3):
    loss = model(torch.randn(5, 3)).pow(2).mean()
    wanted = torch.autograd.grad(loss, model.weight, retain_graph=True)[0]
    optimizer.zero_grad()
    loss.backward()
    assert torch.allclose(wanted, model.weight.grad)
    optimizer.step()
print("OK")

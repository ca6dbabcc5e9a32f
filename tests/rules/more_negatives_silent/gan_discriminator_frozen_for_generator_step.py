import torch
from torch import nn


class CycleLike:
    def __init__(self):
        self.G, self.D = nn.Linear(3, 3), nn.Linear(3, 1)
        self.optimizers = [torch.optim.Adam(self.G.parameters()), torch.optim.Adam(self.D.parameters())]

    def set_requires_grad(self, net, flag):
        for p in net.parameters():
            p.requires_grad = flag

    def optimize(self, a, b):
        self.fake = self.G(a)
        self.set_requires_grad(self.D, False)
        self.optimizers[0].zero_grad()
        self.loss_G = -self.D(self.fake).mean() + 10 * (self.fake - b).abs().mean()
        self.loss_G.backward()
        self.optimizers[0].step()
        self.set_requires_grad(self.D, True)
        self.optimizers[1].zero_grad()
        self.loss_D = self.D(self.fake.detach()).mean() - self.D(b).mean()
        self.loss_D.backward()
        self.optimizers[1].step()

    def current_losses(self):
        return {name: float(getattr(self, "loss_" + name)) for name in ("G", "D")}


torch.manual_seed(0)
model = CycleLike()
for _ in range(3):
    model.optimize(torch.randn(4, 3), torch.randn(4, 3))
    losses = model.current_losses()
assert set(losses) == {"G", "D"}
print("OK")

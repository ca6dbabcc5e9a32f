import torch
from torch import nn


class Ema:
    def __init__(self, module, decay=0.5):
        self.decay = decay
        self.shadow = [p.detach().clone() * 0.5 for p in module.parameters()]

    def copy_to(self, module):
        for p, s in zip(module.parameters(), self.shadow):
            p.data.copy_(s)


torch.manual_seed(0)
net = nn.Sequential(nn.Linear(3, 6), nn.Sigmoid(), nn.Linear(6, 1))
ema, opt = Ema(net), torch.optim.Adam(net.parameters(), lr=0.01)
x = torch.randn(5, 3)
honest = torch.autograd.grad(net(x).pow(2).mean(), net[0].weight)[0]
loss = net(x).pow(2).mean()
ema.copy_to(net)
opt.zero_grad()
loss.backward()
same = torch.allclose(honest, net[0].weight.grad, atol=1e-6)
opt.step()
print("OK" if same else "HAZARD-OBSERVED")

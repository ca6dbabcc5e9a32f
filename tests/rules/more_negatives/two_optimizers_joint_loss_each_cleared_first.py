"""An encoder and a decoder with an optimizer each; both are cleared before every backward."""
import torch
from torch import nn


class Part:
    def __init__(self, net):
        self.net = net
        self.opt = torch.optim.SGD(net.parameters(), lr=0.1)


torch.manual_seed(0)
parts = {"enc": Part(nn.Linear(4, 2)), "dec": Part(nn.Linear(2, 4))}


def update(names, loss):
    for p in parts.values():
        p.opt.zero_grad()
    loss.backward()
    for n in names:
        parts[n].opt.step()


for _ in range(2):
    x = torch.randn(6, 4)
    rec = parts["dec"].net(parts["enc"].net(x))
    update(("enc", "dec"), (rec - x).square().mean())
    z = torch.randn(6, 2)
    before = parts["enc"].net.weight.detach().clone()
    update(("dec",), parts["dec"].net(z).abs().mean())
    assert torch.equal(before, parts["enc"].net.weight)
print("OK")

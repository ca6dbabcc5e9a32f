import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner, self.outer = nn.Linear(5, 6), nn.Linear(6, 1)

    def hidden(self, x):
        return torch.tanh(self.inner(x))


def drop_units(h, units):
    keep = torch.ones(h.shape[1]).index_fill(0, torch.tensor(units), 0.0)
    return h * keep


def drop_reference(h, units):
    keep = torch.ones(h.shape[1])
    keep[units] = 0.0
    return h * keep


torch.manual_seed(0)
net, x = Net(), torch.randn(4, 5)
grads = []
for drop in (drop_units, drop_reference):
    net.zero_grad()
    h = drop(net.hidden(x), [0, 2])
    (net.outer(h) + h.sum(1, keepdim=True)).sum().backward()
    grads.append(net.inner.weight.grad.clone())
print("OK" if torch.allclose(grads[0], grads[1], atol=1e-6) else "HAZARD-OBSERVED")

import torch
import torch.nn as nn


class Builder:
    def __init__(self):
        self.net = self.opt = None

    def model(self, n_classes=5):
        self.net = nn.Sequential()
        self.net.add_module('features', nn.Sequential(nn.Linear(3, 4), nn.ReLU()))
        self.net.add_module('fc', nn.Linear(4, n_classes))
        return self

    def optimizer(self, cls=torch.optim.SGD, **kw):
        self.opt = cls(self.net.parameters(), **kw)
        return self

    def classes(self, n):
        self.net.fc = nn.Linear(self.net.fc.in_features, n)
        return self


torch.manual_seed(0)
b = Builder().model().classes(2).optimizer(lr=0.1)
w = b.net.fc.weight.detach().clone()
for _ in range(2):
    loss = nn.functional.cross_entropy(b.net(torch.randn(4, 3)), torch.tensor([0, 1, 1, 0]))
    b.opt.zero_grad()
    loss.backward()
    b.opt.step()
print('HAZARD-OBSERVED' if torch.equal(w, b.net.fc.weight) else 'OK')

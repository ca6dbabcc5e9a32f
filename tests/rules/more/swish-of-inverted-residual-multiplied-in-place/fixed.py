from torch import nn
import torch


class Swish(nn.Module):
    def __init__(self, inplace=True):
        super().__init__()
        self.inplace = inplace

    def forward(self, x):
        if self.inplace:
            return x.sigmoid().mul_(x)
        return x * x.sigmoid()


def conv_bn(cin, cout, k, groups=1, act=True):
    layers = [nn.Conv2d(cin, cout, k, padding=k // 2, groups=groups, bias=False), nn.BatchNorm2d(cout)]
    if act:
        layers.append(Swish(inplace=False))
    return nn.Sequential(*layers)


class InvertedResidual(nn.Module):
    def __init__(self, c, expand):
        super().__init__()
        self.block = nn.Sequential(conv_bn(c, c * expand, 1), conv_bn(c * expand, c * expand, 3, groups=c * expand), conv_bn(c * expand, c, 1, act=False))

    def forward(self, x):
        return x + self.block(x)


torch.manual_seed(0)
net = nn.Sequential(conv_bn(3, 4, 3), *[InvertedResidual(4, e) for e in (1, 2)], nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(4, 3))
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
loss = nn.functional.cross_entropy(net(torch.randn(4, 3, 6, 6)), torch.tensor([0, 1, 2, 0]))
loss.backward()
optimizer.step()

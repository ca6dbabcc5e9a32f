import torch
import torch.nn as nn


class RoundSTE(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale):
        return torch.round(x / scale) * scale

    @staticmethod
    def backward(ctx, grad):
        return grad


class QLinear(nn.Linear):
    def __init__(self, i, o, bits=4):
        super().__init__(i, o)
        self.levels = 2 ** (bits - 1)

    def forward(self, x):
        scale = self.weight.detach().abs().max() / self.levels
        return nn.functional.linear(x, RoundSTE.apply(self.weight, scale), self.bias)


torch.manual_seed(0)
net = nn.Sequential(QLinear(4, 8), nn.ReLU(), QLinear(8, 2))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(2):
    loss = net(torch.randn(5, 4)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()

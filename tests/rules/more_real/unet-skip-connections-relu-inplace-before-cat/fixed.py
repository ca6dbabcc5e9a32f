import torch
import torch.nn as nn


class Stage(nn.Module):
    def __init__(self, i, o):
        super().__init__()
        self.act = nn.LeakyReLU(0.2)
        self.conv = nn.Conv1d(i, o, 3, padding=1)

    def forward(self, x):
        return self.conv(self.act(x))


class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.inc = nn.Conv1d(1, 4, 3, padding=1)
        self.down = nn.ModuleList([Stage(4, 4), Stage(4, 4)])
        self.up = nn.ModuleList([Stage(8, 4), Stage(8, 1)])
        self.negative = True

    def forward(self, x):
        x = self.inc(x)
        self.negative = bool((x < -0.5).any())
        skips = []
        for stage in self.down:
            skips.append(x)
            x = stage(x)
        before = skips[0].detach().clone()
        for stage, skip in zip(self.up, reversed(skips)):
            x = stage(torch.cat([x, skip], 1))
        return x, before


torch.manual_seed(0)
net = UNet()
x = torch.randn(2, 1, 8) * 3
out, skip = net(x)
out.pow(2).mean().backward()
print("OK" if torch.allclose(skip, net.inc(x).detach()) else "HAZARD-OBSERVED")

import torch
import torch.nn as nn


class WaveNet(nn.Module):
    def __init__(self, channels=4, layers=3):
        super().__init__()
        self.register_buffer("zero", torch.zeros(1, 1, 1))
        self.convs = nn.ModuleList(nn.Conv1d(channels, 2 * channels, 2, dilation=2**i, padding=2**i) for i in range(layers))
        self.res = nn.ModuleList(nn.Conv1d(channels, channels, 1) for _ in range(layers))

    def forward(self, x):
        skip = self.zero.expand(x.shape)
        for conv, res in zip(self.convs, self.res):
            filt, gate = conv(x)[..., : x.size(-1)].chunk(2, 1)
            h = res(torch.tanh(filt) * torch.sigmoid(gate))
            skip += h
            x = x + h
        return skip


torch.manual_seed(0)
net = WaveNet()
net(torch.randn(2, 4, 16)).pow(2).mean().backward()

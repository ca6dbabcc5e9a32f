import torch
import torch.nn as nn


class MultiResolutionSTFT(nn.Module):
    def __init__(self, sizes=(4, 8)):
        super().__init__()
        self.sizes = sizes

    def magnitude(self, x, n):
        spec = torch.fft.rfft(x.unfold(-1, n, n // 2), dim=-1)
        power = spec.real ** 2 + spec.imag ** 2
        return power.add_(1e-7).sqrt_()
    
    def forward(self, x, y):
        loss = 0.
        for n in self.sizes:
            a, b = self.magnitude(x, n), self.magnitude(y, n)
            loss = loss + (a - b).norm() / b.norm()
            a.log_()
            loss = loss + (a - b.log()).abs().mean()
        return loss


torch.manual_seed(0)
net = nn.Sequential(nn.Linear(16, 16), nn.Tanh())
opt = torch.optim.Adam(net.parameters())
x = torch.randn(2, 16)
loss = MultiResolutionSTFT()(net(x), x)
opt.zero_grad()
loss.backward()
opt.step()

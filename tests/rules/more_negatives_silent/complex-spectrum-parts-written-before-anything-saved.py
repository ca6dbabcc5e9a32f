import torch
import torch.nn as nn

net = nn.Linear(8, 8)
opt = torch.optim.SGD(net.parameters(), 0.1)
for _ in range(2):
    spec = torch.fft.rfft(net(torch.randn(2, 8)))
    power = spec.real.pow(2) + spec.imag.pow(2)
    phase = torch.atan2(spec.imag, spec.real + 1e-3)
    mag = (power + 1e-6).sqrt()
    level = mag.detach().clone().clamp_(max=2).log_()
    loss = (mag.log() - 0.5).abs().mean() + 0.01 * phase.cos().mean() + 0 * level.sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
x = torch.randn(3)
x.real.mul_(2)
print('OK')

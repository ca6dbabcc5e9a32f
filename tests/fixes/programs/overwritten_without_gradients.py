import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 4), nn.Tanh())
x = torch.randn(4, 4)
out = net(x)
with torch.no_grad():
    out[0] += 1.0  # an offset that is not to be trained
(out**2).sum().backward()
first = net[0].weight.grad.clone()

net.zero_grad()
out = net(x)
with torch.no_grad():
    out *= 2.0
(out**2).sum().backward()
second = net[0].weight.grad.clone()

value = torch.tanh(net[0](x)).detach()
offset = torch.zeros(4, 4)
offset[0] = 1.0
assert torch.allclose(first, (2 * (value + offset) * (1 - value**2)).t() @ x, atol=1e-5)
assert torch.allclose(second, (2 * 2 * value * (1 - value**2)).t() @ x, atol=1e-5)
print("OK")

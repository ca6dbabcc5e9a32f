import copy

import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(3, 3), nn.ReLU(inplace=True), nn.ReLU(inplace=True), nn.Linear(3, 1))
x = torch.randn(5, 3)
before = [p.detach().clone() for p in net.parameters()]
loss = net(x).pow(2).mean() + sum(p.pow_(2).sum() for p in net.parameters())
loss.backward()
assert all(torch.equal(p, b) for p, b in zip(net.parameters(), before))
assert torch.allclose(net[3].bias.grad, 2 * net(x).detach().mean() + 2 * net[3].bias.detach())

fast = copy.deepcopy(net)
h = fast[0](x).tanh()
wide = h[0].expand(5, 3)
wide.mul_(2.0)
h.unsqueeze(0).add_(1.0)
fast[3](h).sum().backward()
value = net[0](x).tanh().detach() + 1
assert torch.allclose(fast[3].weight.grad, value.sum(0, keepdim=True))
assert torch.allclose(fast[0].bias.grad, net[3].weight.detach()[0] * (1 - (value - 1) ** 2).sum(0))
print("OK")

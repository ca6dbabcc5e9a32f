import torch
from torch import nn

torch.manual_seed(0)
loc = torch.zeros(2, requires_grad=True)
raw = torch.zeros(2, requires_grad=True)
opt = torch.optim.SGD([loc, raw], lr=0.1)
scale = nn.functional.softplus(raw) + 0.1
dist = torch.distributions.Gumbel(loc, scale)
sample = dist.sample((50,)) + 2.0
before = -dist.log_prob(sample).mean().item()
for step in range(5):
    loss = -dist.log_prob(sample).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
scale = nn.functional.softplus(raw) + 0.1
assert -torch.distributions.Gumbel(loc, scale).log_prob(sample).mean().item() < before
assert raw.detach().ne(0).all()

net = nn.Linear(3, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x, y = torch.randn(8, 3), torch.randn(8, 1)
losses = []
with torch.autocast("cpu", enabled=False):
    out = net(x)
    loss = (out - y).pow(2).mean()
for step in range(4):
    opt.zero_grad()
    loss.backward()
    opt.step()
    losses.append(loss.item())
assert losses == sorted(losses, reverse=True) and losses[0] > losses[-1]
print("OK")

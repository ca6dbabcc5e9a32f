import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
seen = []
for p in net.parameters():
    p.register_hook(lambda g: g.clamp(-0.1, 0.1))
net[1].register_forward_hook(lambda m, i, o: seen.append(o.detach().mean().item()))
opt = torch.optim.SGD(net.parameters(), lr=0.5)
for _ in range(2):
    out = net(torch.randn(6, 4))
    out.retain_grad()
    loss = out.exp().mean()
    opt.zero_grad()
    loss.backward()
    assert out.grad is not None
    for p in net.parameters():
        p.grad.mul_(0.5)
    opt.step()
assert len(seen) == 2
print("OK")

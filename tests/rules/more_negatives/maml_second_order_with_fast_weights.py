import torch
from torch import nn
from torch.func import functional_call

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(1, 8), nn.Tanh(), nn.Linear(8, 1))
meta = torch.optim.Adam(net.parameters(), lr=1e-3)
for it in range(2):
    meta.zero_grad()
    for task in range(2):
        phase = torch.rand(())
        x = torch.rand(6, 1)
        fast = dict(net.named_parameters())
        for _ in range(2):
            inner = nn.functional.mse_loss(functional_call(net, fast, (x,)), (x + phase).sin())
            grads = torch.autograd.grad(inner, tuple(fast.values()), create_graph=True)
            fast = {k: w - 0.1 * g for (k, w), g in zip(fast.items(), grads)}
        outer = nn.functional.mse_loss(functional_call(net, fast, (x,)), (x + phase).sin())
        (outer / 2).backward()
    meta.step()
assert all(p.grad is not None for p in net.parameters())
print("OK")

import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(3, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.05)
batches = [torch.randn(4, 3) for _ in range(6)]
reference = nn.Linear(3, 1)
reference.load_state_dict(net.state_dict())

total = 0.0
for i, x in enumerate(batches):
    total += net(x).exp().mean()
    if (i + 1) % 2 == 0:
        opt.zero_grad()
        total.backward()
        opt.step()

for a, b in zip(batches[::2], batches[1::2]):
    loss = reference(a).exp().mean() + reference(b).exp().mean()
    for p, g in zip(reference.parameters(), torch.autograd.grad(loss, list(reference.parameters()))):
        p.data -= 0.05 * g
assert all(torch.allclose(p, q) for p, q in zip(net.parameters(), reference.parameters()))
print("OK")

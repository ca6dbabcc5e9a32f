import torch
from torch import nn

torch.manual_seed(0)
encoder = nn.Sequential(nn.Linear(6, 10), nn.Tanh())
members = nn.ModuleList(nn.Linear(10, 2) for _ in range(3))
optimizers = [torch.optim.Adam(m.parameters(), lr=1e-3) for m in (encoder, *members)]
for _ in range(3):
    x, y = torch.randn(8, 6), torch.randint(2, (8,))
    z = encoder(x)
    losses = [nn.functional.cross_entropy(m(z), y) for m in members]
    for opt in optimizers:
        opt.zero_grad()
    for i, loss in enumerate(losses):
        loss.backward(retain_graph=i < len(losses) - 1)
    for opt in optimizers:
        opt.step()
print("OK")

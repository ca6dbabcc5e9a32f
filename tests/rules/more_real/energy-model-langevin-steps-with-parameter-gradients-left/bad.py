import torch
import torch.nn as nn

torch.manual_seed(0)
energy = nn.Sequential(nn.Linear(2, 16), nn.SiLU(), nn.Linear(16, 1))
optimizer = torch.optim.SGD(energy.parameters(), lr=1e-2)


def langevin(x, steps=3, eps=0.1):
    for _ in range(steps):
        x = x.detach().requires_grad_(True)
        energy(x).sum().backward()
        grad = x.grad
        x = x - eps * grad + 0.01 * torch.randn_like(x)
    return x.detach()


right = []
for _ in range(3):
    data = torch.randn(8, 2)
    optimizer.zero_grad()
    fake = langevin(torch.randn(8, 2))
    loss = energy(data).mean() - energy(fake).mean()
    wanted = torch.autograd.grad(loss, energy[0].weight, retain_graph=True)[0]
    loss.backward()
    right.append(torch.allclose(wanted, energy[0].weight.grad))
    optimizer.step()
print("OK" if all(right) else "HAZARD-OBSERVED")

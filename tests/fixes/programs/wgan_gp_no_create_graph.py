import torch
from torch import nn
torch.manual_seed(0)
D = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 1))
opt = torch.optim.Adam(D.parameters(), lr=1e-3)

def gradient_penalty(real, fake):
    eps = torch.rand(real.size(0), 1)
    mixed = (eps * real + (1 - eps) * fake).requires_grad_(True)
    out = D(mixed)
    g = torch.autograd.grad(out.sum(), mixed)[0]
    return ((g.norm(2, dim=1) - 1) ** 2).mean()

for _ in range(2):
    real, fake = torch.randn(6, 4), torch.randn(6, 4)
    loss = D(fake).mean() - D(real).mean() + 10 * gradient_penalty(real, fake)
    opt.zero_grad()
    loss.backward()
    opt.step()
print("OK" if gradient_penalty(real, fake).requires_grad else "HAZARD-OBSERVED penalty has no graph")

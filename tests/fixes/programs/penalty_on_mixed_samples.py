import torch
from torch import nn


def penalty(dis, real, fake, center=1.0):
    alpha = torch.rand(4, 1)
    mixed = alpha * real + (1 - alpha) * fake
    score = dis(mixed)
    grads = torch.autograd.grad(outputs=score.sum(), inputs=mixed, create_graph=True)[0]
    return (grads.norm(2, 1) - center).pow(2).mean()


torch.manual_seed(0)
gen, dis = nn.Linear(2, 3), nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
opt = torch.optim.Adam(dis.parameters())
for _ in range(2):
    real, fake = torch.randn(4, 3), gen(torch.randn(4, 2)).detach()
    loss = dis(fake).mean() - dis(real).mean() + 10 * penalty(dis, real, fake)
    opt.zero_grad()
    loss.backward()
    opt.step()
print("OK" if all(p.grad is None for p in gen.parameters()) and dis[0].weight.grad is not None else "HAZARD-OBSERVED")

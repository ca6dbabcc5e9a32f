import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Flatten(), nn.Linear(16, 3))


def pgd(x, y, eps=0.1, alpha=0.03, steps=3):
    adv = x.detach() + torch.empty_like(x).uniform_(-eps, eps)
    for _ in range(steps):
        adv.requires_grad_()
        with torch.enable_grad():
            loss = nn.functional.cross_entropy(model(adv), y)
        grad = torch.autograd.grad(loss, [adv])[0]
        adv = adv.detach() + alpha * torch.sign(grad.detach())
        adv = torch.min(torch.max(adv, x - eps), x + eps).clamp(0, 1)
    return adv


opt = torch.optim.SGD(model.parameters(), lr=0.1)
x, y = torch.rand(4, 1, 4, 4), torch.randint(3, (4,))
loss = nn.functional.cross_entropy(model(pgd(x, y)), y)
opt.zero_grad()
loss.backward()
opt.step()
with torch.no_grad():
    print((model(pgd(x, y)).argmax(1) == y).float().mean().item())
print("OK")

import torch
import torch.nn as nn

model = nn.Linear(3, 1)
opt = torch.optim.SGD(model.parameters(), .1)
for _ in range(3):
    opt.zero_grad()
    model(torch.randn(4, 3)).square().mean().backward()
    with torch.no_grad():
        for p in model.parameters():
            p.mul_(1 - 0.1 * 0.01)
            p.grad.div_(p.grad.norm().clamp(min=1.0))
    opt.step()
print('OK')

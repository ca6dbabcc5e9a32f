import torch
import torch.nn as nn

trunk, heads = nn.Linear(3, 4), nn.ModuleList([nn.Linear(4, 1) for _ in range(3)])
opt = torch.optim.SGD([*trunk.parameters(), *heads.parameters()], 0.1)
for _ in range(2):
    h = torch.tanh(trunk(torch.randn(6, 3)))
    losses = [(hd(h) - i).square().mean() for i, hd in enumerate(heads)]
    opt.zero_grad()
    per_task = []
    for i, l in enumerate(losses):
        last = i == len(losses) - 1
        per_task.append(torch.autograd.grad(l, list(trunk.parameters()), retain_graph=True))
        l.backward(retain_graph=not last)
    for k, p in enumerate(trunk.parameters()):
        gs = [g[k].clone() for g in per_task]
        for i, a in enumerate(gs):
            for b in per_task:
                dot = (a * b[k]).sum()
                if dot < 0:
                    a -= dot / b[k].square().sum().clamp(min=1e-12) * b[k]
        p.grad = sum(gs)
    opt.step()
print('OK')

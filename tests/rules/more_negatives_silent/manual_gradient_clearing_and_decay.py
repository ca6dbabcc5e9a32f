import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(5, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
losses = torch.zeros(4)
for step in range(4):
    loss = (model(torch.randn(6, 5)) - 1).abs().mean()
    for p in model.parameters():
        if p.grad is not None:
            p.grad.detach_()
            p.grad.zero_()
    loss.backward()
    with torch.no_grad():
        for p in model.parameters():
            p.mul_(1 - 0.01)
            p.grad.add_(torch.randn_like(p), alpha=1e-3)
    optimizer.step()
    losses[step] = loss.detach()
assert not losses.requires_grad and model.weight.grad.abs().sum() > 0
print("OK")

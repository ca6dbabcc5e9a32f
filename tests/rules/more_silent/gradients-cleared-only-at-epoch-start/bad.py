import torch
from torch import nn


def epoch(model, optimizer, loader, log):
    model.train()
    optimizer.zero_grad()
    for x, y in loader:
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        log.append(model.weight.grad.norm().item())
        optimizer.step()


torch.manual_seed(0)
model = nn.Linear(3, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.0)
batch = torch.randn(5, 3), torch.randn(5, 1)
log = []
for _ in range(2):
    epoch(model, optimizer, [batch] * 3, log)
print("OK" if abs(log[0] - log[2]) < 1e-6 else "HAZARD-OBSERVED")

import torch
from torch import nn

torch.manual_seed(0)
cell, head = nn.GRUCell(3, 6), nn.Linear(6, 2)
x = torch.randn(4, 7, 3)
h = torch.zeros(4, 6)
outputs = torch.zeros(4, 7, 2)
for t in range(7):
    h = cell(x[:, t], h)
    outputs[:, t] = head(h)
loss = nn.functional.mse_loss(outputs, torch.zeros_like(outputs))
loss.backward()
assert all(p.grad.abs().sum() > 0 for p in (*cell.parameters(), *head.parameters()))
print("OK")

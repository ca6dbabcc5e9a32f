"""A recurrent state that is detached from the second chunk on, a backbone that thaws, a head that is replaced."""

import torch
import torch.nn.functional as F
from torch import nn

cell, head = nn.GRUCell(4, 8), nn.Linear(8, 2)
body = nn.Linear(4, 4)
for p in body.parameters():
    p.requires_grad = False
optimizer = torch.optim.SGD([p for p in [*cell.parameters(), *head.parameters()] if p.requires_grad], lr=0.1)
state = torch.zeros(3, 8)
for chunk in range(3):
    total = 0.0
    for _ in range(2):
        x = body(torch.randn(3, 4))
        state = cell(x, state)
        total = total + F.cross_entropy(head(state), torch.tensor([0, 1, 1]))
    optimizer.zero_grad()
    total.backward()
    optimizer.step()
    state = state.detach()
    if chunk == 1:
        for p in body.parameters():
            p.requires_grad = True
        optimizer.add_param_group({"params": body.parameters()})
        head = nn.Linear(8, 2)
        optimizer.add_param_group({"params": head.parameters()})
buffer = torch.zeros(4)
buffer += 1
buffer[0] = 2
view = buffer[1:]
view.mul_(3)
leaf = torch.ones(2, requires_grad=True)
with torch.no_grad():
    leaf.clamp_(0, 1)
    quiet = leaf * 2
alias = leaf
grown = alias.exp()
grown.sum().backward()
print(leaf.grad, quiet, optimizer)

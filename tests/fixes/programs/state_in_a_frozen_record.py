from dataclasses import dataclass

import torch
from torch import nn

torch.manual_seed(0)


@dataclass(frozen=True)
class Output:
    logits: torch.Tensor
    hidden: torch.Tensor


body, head = nn.Linear(4, 4), nn.Linear(4, 2)
opt = torch.optim.SGD([*body.parameters(), *head.parameters()], lr=0.1)
hidden = torch.zeros(3, 4)
for step in range(3):
    h = torch.tanh(body(torch.randn(3, 4) + hidden))
    out = Output(head(h), h)
    opt.zero_grad()
    out.logits.pow(2).mean().backward()
    opt.step()
    hidden = out.hidden
print("OK")

import torch
from torch import nn
torch.manual_seed(0)
w = torch.ones(3, requires_grad=True)
x = torch.arange(1.0, 4.0)
from dataclasses import dataclass
@dataclass
class O:
    loss: object
o = O((w * w).sum())
o.loss.backward()
o.loss.backward()

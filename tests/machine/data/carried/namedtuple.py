import torch
from torch import nn
torch.manual_seed(0)
w = torch.ones(3, requires_grad=True)
x = torch.arange(1.0, 4.0)
from collections import namedtuple
Out = namedtuple('Out', 'loss logits')
o = Out((w * w).sum(), w)
o.loss.backward()
l, _ = o
l.backward()

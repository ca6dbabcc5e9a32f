import torch
from torch import nn
torch.manual_seed(0)
w = torch.ones(3, requires_grad=True)
x = torch.arange(1.0, 4.0)
from collections import defaultdict
d = defaultdict(list)
d['a'].append((w * w).sum())
sum(d['a']).backward()
d['a'][0].backward()

import torch
from torch import nn
torch.manual_seed(0)
w = torch.ones(3, requires_grad=True)
x = torch.arange(1.0, 4.0)
d = {}
d['loss'] = (w * x).sum()
d['loss'].backward()
d.get('loss').backward()

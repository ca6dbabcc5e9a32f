import torch
from torch import nn
torch.manual_seed(0)
w = torch.ones(3, requires_grad=True)
x = torch.arange(1.0, 4.0)
class Cfg(dict):
    __getattr__ = dict.__getitem__
    __setattr__ = dict.__setitem__
c = Cfg(loss=(w * w).sum())
c.loss.backward()
c['loss'].backward()

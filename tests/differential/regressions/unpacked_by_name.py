import torch
from torch import nn

q = nn.Linear(4, 4)(torch.randn(4, 4))
q[0] = torch.atan2(q.unbind(0)[1], q.diagonal())
q.sum().backward()

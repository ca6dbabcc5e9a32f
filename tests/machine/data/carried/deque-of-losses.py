import torch
from torch import nn
torch.manual_seed(0)
w = torch.ones(3, requires_grad=True)
x = torch.arange(1.0, 4.0)
from collections import deque
q = deque(maxlen=2)
for i in range(3): q.append((w * w).sum())
sum(q).backward()
q[0].backward()

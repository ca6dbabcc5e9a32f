import torch
from torch import nn

torch.manual_seed(0)
q = nn.Linear(4, 4)
o = torch.optim.SGD(q.parameters(), 0.1)
buf = torch.randn(4, 12)
x = torch.randn(4, 4)
a = q(x)
l = (a @ buf).logsumexp(1).mean()
buf[:, :4] = x.T  # observed: AGH301
o.zero_grad()
l.backward()
o.step()

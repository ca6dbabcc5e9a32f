import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)
import collections, random
random.seed(0)
v = nn.Linear(3, 1); o = torch.optim.Adam(v.parameters(), 1e-2); buf = collections.deque(maxlen=50)
for i in range(5):
    s = torch.randn(1, 3); val = v(s)
    buf.append((s, val + 0.1))
    bs, bt = zip(*random.sample(list(buf), min(2, len(buf))))
    loss = F.mse_loss(v(torch.cat(bs)), torch.cat(bt))
    o.zero_grad(); loss.backward(); o.step()
ends = [p.detach().double().sum() for p in [*v.parameters()]]
print("OK" if torch.allclose(torch.stack(ends), torch.tensor([-0.20342, -0.37544]).double(), atol=2e-4) else "HAZARD-OBSERVED")

import copy
import io
import pickle

import torch
from torch import nn

torch.manual_seed(0)
m = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
o = torch.optim.Adam(m.parameters())
for i in range(3):
    out = m(torch.randn(5, 3))
    l = out.pow(2).mean()
    o.zero_grad()
    l.backward()
    o.step()
    b = io.BytesIO()
    torch.save({"m": m.state_dict(), "o": o.state_dict()}, b)
    b.seek(0)
    st = torch.load(b)
    n = copy.deepcopy(m)
    n.load_state_dict(st["m"])
    s = pickle.dumps(m)
    k = pickle.loads(s)
    b = io.BytesIO()
    torch.save(m, b)
    print(len(s), sum(p.sum().item() for p in k.parameters()).hex(), len(b.getvalue()))
o2 = torch.optim.Adam(m.parameters())
o2.load_state_dict(st["o"])
copy.deepcopy(o2)
try:
    copy.deepcopy(out)
except RuntimeError as e:
    print(str(e)[:60])

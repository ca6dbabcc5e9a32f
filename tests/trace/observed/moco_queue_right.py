import copy

import torch
from torch import nn

torch.manual_seed(0)
q = nn.Linear(4, 4)
k = copy.deepcopy(q).requires_grad_(False)
o = torch.optim.SGD(q.parameters(), 0.1)


class Queue(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("b", torch.randn(4, 12))
        self.ptr = 0

    @torch.no_grad()
    def push(self, x):
        self.b[:, self.ptr : self.ptr + 4] = x.T
        self.ptr = (self.ptr + 4) % 12


Q = Queue()
for i in range(5):
    x = torch.randn(4, 4)
    a = q(x)
    with torch.no_grad():
        for p, t in zip(q.parameters(), k.parameters()):
            t.data = t.data * 0.9 + p.data * 0.1
        b = k(x)
    l = nn.functional.cross_entropy(
        torch.cat([(a * b).sum(1, True), a @ Q.b.clone().detach()], 1), torch.zeros(4, dtype=torch.long)
    )
    Q.push(b)
    o.zero_grad()
    l.backward()
    o.step()
    print(l.item().hex())

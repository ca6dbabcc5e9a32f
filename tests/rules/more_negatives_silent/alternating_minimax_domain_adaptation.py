import torch
from torch import nn
import torch.nn.functional as F


def entropy(logits):
    p = logits.softmax(1)
    return -(p * (p + 1e-5).log()).sum(1).mean()


torch.manual_seed(0)
G, C1, C2 = nn.Linear(4, 6), nn.Linear(6, 3), nn.Linear(6, 3)
opt_g = torch.optim.SGD(G.parameters(), lr=0.1)
opt_c = torch.optim.SGD([*C1.parameters(), *C2.parameters()], lr=0.1)


def reset():
    opt_g.zero_grad()
    opt_c.zero_grad()


for it in range(3):
    xs, ys, xt = torch.randn(6, 4), torch.randint(3, (6,)), torch.randn(6, 4)
    reset()
    f = G(xs)
    (F.cross_entropy(C1(f), ys) + F.cross_entropy(C2(f), ys)).backward()
    opt_g.step()
    opt_c.step()
    reset()
    f, ft = G(xs), G(xt)
    loss = F.cross_entropy(C1(f), ys) + F.cross_entropy(C2(f), ys) - (C1(ft).softmax(1) - C2(ft).softmax(1)).abs().mean()
    loss.backward()
    opt_c.step()
    reset()
    for _ in range(2):
        ft = G(xt)
        loss = (C1(ft).softmax(1) - C2(ft).softmax(1)).abs().mean() + 0.01 * entropy(C1(ft))
        loss.backward()
        opt_g.step()
        reset()
assert G.weight.grad is None
print("OK")

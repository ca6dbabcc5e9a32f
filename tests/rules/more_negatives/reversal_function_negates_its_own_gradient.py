"""A gradient reversal in place, with nothing beside it that shares the gradient."""
import torch
from torch import nn


class Reverse(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, lam):
        ctx.lam = lam
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad):
        return grad.neg_().mul_(ctx.lam), None


torch.manual_seed(0)
feat, cls, dom = nn.Linear(3, 4), nn.Linear(4, 2), nn.Linear(4, 2)
params = [*feat.parameters(), *cls.parameters(), *dom.parameters()]
opt = torch.optim.SGD(params, lr=0.1)
for _ in range(2):
    x, y, d = torch.randn(6, 3), torch.randint(0, 2, (6,)), torch.randint(0, 2, (6,))
    h = feat(x)
    lc = nn.functional.cross_entropy(cls(h), y)
    ld = nn.functional.cross_entropy(dom(Reverse.apply(h, 0.5)), d)
    gc = torch.autograd.grad(lc, feat.weight, retain_graph=True)[0]
    gd = torch.autograd.grad(nn.functional.cross_entropy(dom(feat(x)), d), feat.weight)[0]
    opt.zero_grad()
    (lc + ld).backward()
    assert torch.allclose(feat.weight.grad, gc - 0.5 * gd, atol=1e-6)
    opt.step()
print("OK")

import torch
from torch import nn


class TransE(nn.Module):
    def __init__(self, n, r, d):
        super().__init__()
        self.ent = nn.Embedding(n, d)
        self.rel = nn.Embedding(r, d)
        self.proj = nn.Parameter(torch.randn(d, d) * 0.5)

    def score(self, h, r, t):
        return ((self.ent(h) + self.rel(r)) @ self.proj - self.ent(t) @ self.proj).norm(dim=-1)

    def constrain(self):
        self.proj.data.div_(self.proj.data.norm())


def batch_loss(model, pos, neg, margin=1.0):
    loss = torch.relu(margin + model.score(*pos) - model.score(*neg)).mean()
    return loss


torch.manual_seed(0)
kge = TransE(20, 3, 6)
opt = torch.optim.Adagrad(kge.parameters(), lr=0.1)
pos = [torch.randint(0, m, (8,)) for m in (20, 3, 20)]
neg = [torch.randint(0, m, (8,)) for m in (20, 3, 20)]
kge.constrain()
before = kge.proj.detach().clone()
loss = batch_loss(kge, pos, neg)
opt.zero_grad()
loss.backward()
with torch.no_grad():
    kge.proj.copy_(before)
ref = torch.autograd.grad(torch.relu(1.0 + kge.score(*pos) - kge.score(*neg)).mean(), kge.ent.weight)[0]
print("OK" if torch.allclose(ref, kge.ent.weight.grad) else "HAZARD-OBSERVED")

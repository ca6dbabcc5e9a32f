import torch
import torch.nn as nn
import torch.nn.functional as F


class TransE(nn.Module):
    def __init__(self, entities=10, relations=3, dim=4):
        super().__init__()
        self.ent, self.rel = nn.Embedding(entities, dim), nn.Embedding(relations, dim)
        self.mix = nn.Parameter(torch.randn(dim, dim))

    def normalise(self):
        self.mix.data.copy_(F.normalize(self.mix.data, dim=1))

    def score(self, h, r, t):
        return ((self.ent(h) + self.rel(r) - self.ent(t)) @ self.mix).norm(dim=1)


torch.manual_seed(0)
model = TransE()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
right = []
for _ in range(2):
    h, r, t = torch.randint(10, (6,)), torch.randint(3, (6,)), torch.randint(10, (6,))
    loss = model.score(h, r, t).mean()
    wanted = torch.autograd.grad(loss, model.ent.weight, retain_graph=True)[0]
    model.normalise()
    optimizer.zero_grad()
    loss.backward()
    right.append(torch.allclose(wanted, model.ent.weight.grad, atol=1e-7))
    optimizer.step()
print("OK" if all(right) else "HAZARD-OBSERVED")

import torch
from torch import nn
import torch.nn.functional as F


class VectorQuantizer(nn.Module):
    def __init__(self, codes=6, width=4, beta=0.25):
        super().__init__()
        self.book = nn.Embedding(codes, width)
        self.beta = beta

    def forward(self, z):
        distance = z.pow(2).sum(1, keepdim=True) - 2 * z @ self.book.weight.t() + self.book.weight.pow(2).sum(1)
        index = distance.argmin(dim=1)
        q = self.book(index)
        loss = F.mse_loss(q, z.detach()) + self.beta * F.mse_loss(z, q.detach())
        q = z + (q - z).detach()
        return q, loss, index


torch.manual_seed(0)
enc, vq, dec = nn.Linear(5, 4), VectorQuantizer(), nn.Linear(4, 5)
optimizer = torch.optim.Adam([*enc.parameters(), *vq.parameters(), *dec.parameters()], lr=1e-2)
usage = 0.0
for step in range(3):
    x = torch.randn(7, 5)
    q, commit, index = vq(enc(x))
    loss = F.mse_loss(dec(q), x) + commit
    optimizer.zero_grad()
    loss.backward()
    assert enc.weight.grad.abs().sum() > 0 and vq.book.weight.grad.abs().sum() > 0
    optimizer.step()
    usage += (index.unique().numel() / 6)
scale = torch.tensor(2.3, requires_grad=True)
rounded = scale + (scale.round() - scale).detach()
(rounded * 3.0).backward()
assert scale.grad.item() == 3.0
print("OK")

import torch
import torch.nn as nn
import torch.nn.functional as F


class VQ(nn.Module):
    def __init__(self, codes=6, dim=3):
        super().__init__()
        self.enc, self.dec = nn.Linear(5, dim), nn.Linear(dim, 5)
        self.codebook = nn.Embedding(codes, dim)

    def forward(self, x, beta):
        z = self.enc(x)
        index = torch.cdist(z.detach(), self.codebook.weight.detach()).argmin(1)
        e = self.codebook(index)
        codebook_loss = F.mse_loss(e, z.detach())
        commitment = F.mse_loss(z.detach(), e.detach())
        q = z + (e - z).detach()
        return F.mse_loss(self.dec(q), x) + codebook_loss + beta * commitment


def gradient(beta):
    torch.manual_seed(0)
    vq = VQ()
    opt = torch.optim.SGD(vq.parameters(), lr=0.1)
    loss = vq(torch.randn(8, 5), beta)
    loss.backward()
    grad = vq.enc.weight.grad.clone()
    opt.step()
    return grad


print("HAZARD-OBSERVED" if torch.allclose(gradient(0.0), gradient(10.0)) else "OK")

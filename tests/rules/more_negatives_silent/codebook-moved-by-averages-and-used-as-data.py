import torch
import torch.nn as nn


class VQ(nn.Module):
    def __init__(self, n=4, d=3, decay=0.9):
        super().__init__()
        self.codes = nn.Parameter(torch.randn(n, d))
        self.decay = decay

    def forward(self, z):
        with torch.no_grad():
            idx = torch.cdist(z, self.codes).argmin(1)
        q = self.codes.detach()[idx]
        if self.training:
            with torch.no_grad():
                for k in range(len(self.codes)):
                    hit = z[idx == k]
                    if len(hit):
                        self.codes[k].mul_(self.decay).add_(hit.mean(0), alpha=1 - self.decay)
        commit = (z - q).square().mean()
        return z + (q - z).detach(), commit


enc, vq, dec = nn.Linear(5, 3), VQ(), nn.Linear(3, 5)
opt = torch.optim.Adam([*enc.parameters(), *vq.parameters(), *dec.parameters()])
for _ in range(2):
    x = torch.randn(8, 5)
    q, commit = vq(enc(x))
    loss = (dec(q) - x).square().mean() + 0.25 * commit
    opt.zero_grad()
    loss.backward()
    opt.step()
print('OK')

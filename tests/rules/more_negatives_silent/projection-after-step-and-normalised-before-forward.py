import torch
import torch.nn as nn
import torch.nn.functional as F


class Cosine(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.randn(4, 3))

    def forward(self, x):
        return F.linear(F.normalize(x), F.normalize(self.w))


net = Cosine()
opt = torch.optim.SGD(net.parameters(), 0.1, momentum=0.9)
for _ in range(3):
    with torch.no_grad():
        net.w.copy_(F.normalize(net.w, dim=1))
    loss = F.cross_entropy(net(torch.randn(5, 3)), torch.randint(0, 4, (5,)))
    opt.zero_grad()
    loss.backward()
    opt.step()
    net.w.data.div_(net.w.data.norm(dim=1, keepdim=True))
    net.w.data = F.normalize(net.w.data, dim=1)
assert torch.allclose(net.w.norm(dim=1), torch.ones(4))
print('OK')

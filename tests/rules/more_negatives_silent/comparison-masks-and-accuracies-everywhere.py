import torch
import torch.nn as nn


class TopK(nn.Module):
    def __init__(self, n, keep=0.5):
        super().__init__()
        self.score = nn.Parameter(torch.rand(n))
        self.w = nn.Parameter(torch.randn(n))
        self.keep = keep

    def forward(self, x):
        s = torch.sigmoid(self.score)
        hard = (s > s.median()).float()
        return x * self.w * (hard + s - s.detach())


net = nn.Sequential(TopK(4), nn.Linear(4, 3))
opt = torch.optim.SGD(net.parameters(), 0.1)
for _ in range(3):
    out = net(torch.randn(8, 4))
    y = torch.randint(0, 3, (8,))
    correct = (out.argmax(1) == y).float().mean()
    weight = (out.softmax(-1).gather(1, y[:, None]).squeeze(1) < 0.9).float()
    loss = (nn.functional.cross_entropy(out, y, reduction='none') * weight).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
assert net[0].score.grad is not None
print('OK')

import torch
import torch.nn as nn
import torch.nn.functional as F


def gram(x):
    b, c, n = x.shape
    f = x.reshape(b * c, n)
    return f @ f.t() / f.numel()


class StyleLoss(nn.Module):
    def __init__(self, target):
        super().__init__()
        self.target = gram(target).detach()
        self.total = 0.0

    def forward(self, x):
        self.total = F.mse_loss(gram(x), self.target)
        return x


torch.manual_seed(0)
conv = nn.Conv1d(1, 3, 3, padding=1).requires_grad_(False)
style = StyleLoss(conv(torch.randn(1, 1, 10)))
model = nn.Sequential(conv, style, nn.ReLU())
image = torch.randn(1, 1, 10, requires_grad=True)
optimizer = torch.optim.Adam([image], lr=0.1)
for _ in range(3):
    optimizer.zero_grad()
    model(image)
    style.total.backward()
    optimizer.step()

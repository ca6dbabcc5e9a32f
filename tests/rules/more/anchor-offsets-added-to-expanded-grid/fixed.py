import torch
import torch.nn.functional as F
from torch import nn


def make_grid(h, w, stride):
    ys, xs = torch.meshgrid(torch.arange(h), torch.arange(w), indexing="ij")
    return torch.stack([xs, ys], dim=-1).float().mul(stride).add(stride / 2)


class Decoder:
    def __init__(self, strides):
        self.strides = strides
        self._grids = {}

    def grid(self, level, h, w):
        key = (level, h, w)
        if key not in self._grids:
            self._grids[key] = make_grid(h, w, self.strides[level])
        return self._grids[key]

    def __call__(self, outputs):
        centers = []
        for level, out in enumerate(outputs):
            n, _, h, w = out.shape
            center = self.grid(level, h, w).expand(n, h, w, 2)
            center = center + out[:, :2].permute(0, 2, 3, 1) * self.strides[level]
            centers.append(center.flatten(1, 2))
        return torch.cat(centers, dim=1)


class Detector(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(3, 8, 3, stride=4, padding=1)
        self.down = nn.Conv2d(8, 8, 3, stride=2, padding=1)
        self.heads = nn.ModuleList(nn.Conv2d(8, 5, 1) for _ in range(2))

    def forward(self, x):
        p = F.silu(self.stem(x))
        return [head(f) for head, f in zip(self.heads, (p, F.silu(self.down(p))))]


torch.manual_seed(0)
net, decode = Detector(), Decoder([4, 8])
centers = decode(net(torch.rand(2, 3, 16, 16)))
loss = F.smooth_l1_loss(centers, torch.full_like(centers, 8.0))
loss.backward()
print(loss.item())

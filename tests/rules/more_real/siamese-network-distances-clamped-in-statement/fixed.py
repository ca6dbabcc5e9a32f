import torch
import torch.nn as nn
import torch.nn.functional as F


class ContrastiveLoss(nn.Module):
    def __init__(self, margin=0.5):
        super().__init__()
        self.margin = margin

    def forward(self, a, b, different):
        d = F.pairwise_distance(a, b)
        hinge = self.margin - d
        hinge = hinge.clamp(min=0)
        self.lowest = hinge.min().item()
        return ((1 - different) * d.pow(2) + different * hinge * hinge.abs()).mean()


torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 3))
criterion = ContrastiveLoss()
optimizer = torch.optim.Adam(net.parameters())
lowest = []
for _ in range(3):
    left, right, label = 3 * torch.randn(6, 4), 3 * torch.randn(6, 4), torch.ones(6)
    loss = criterion(net(left), net(right), label)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    lowest.append(criterion.lowest)
print("OK" if min(lowest) >= 0 else "HAZARD-OBSERVED")

import torch
from torch import nn


class HitLoss(nn.Module):
    def forward(self, logits, y):
        return nn.functional.cross_entropy(logits, y)


torch.manual_seed(0)
net, criterion = nn.Linear(4, 3), HitLoss()
before = net.weight.detach().clone()
optimizer = torch.optim.Adam(net.parameters(), lr=0.1)
for _ in range(2):
    optimizer.zero_grad()
    loss = criterion(net(torch.randn(6, 4)), torch.randint(3, (6,)))
    loss.backward()
    optimizer.step()
print("HAZARD-OBSERVED" if torch.equal(before, net.weight) else "OK")

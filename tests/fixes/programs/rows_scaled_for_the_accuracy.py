import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
net = nn.Linear(4, 3)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
hits = []
for _ in range(2):
    x, y = torch.randn(6, 4), torch.randint(0, 3, (6,))
    probs = F.softmax(net(x), dim=1)
    loss = F.nll_loss(probs.log(), y)
    for row in probs:
        row /= row.max()
    hits.append((probs == 1).sum().item())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print("OK" if hits == [6, 6] else "HAZARD-OBSERVED")

import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)
body, head = nn.Sequential(nn.Linear(5, 5), nn.ReLU()), nn.Linear(5, 2)
optimizers = [torch.optim.SGD(body.parameters(), lr=0.0), torch.optim.SGD(head.parameters(), lr=0.0)]
x, y = torch.randn(8, 5), torch.randint(2, (8,))
seen = []
for step in range(3):
    for optimizer in optimizers:
        optimizer.zero_grad()
    loss = F.cross_entropy(head(body(x)), y)
    loss.backward()
    seen.append(head.weight.grad.clone())
    for optimizer in optimizers:
        optimizer.step()
print("OK" if torch.allclose(seen[0], seen[2]) else "HAZARD-OBSERVED")

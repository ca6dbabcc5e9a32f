import torch
from torch import nn
import torch.nn.functional as F


class PreAct(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.fc1, self.fc2 = nn.Linear(width, width), nn.Linear(width, width)

    def branch(self, x):
        h = F.leaky_relu(x, 0.1, inplace=True)
        h = self.fc1(h)
        return self.fc2(F.relu(h))

    def forward(self, x):
        return x + self.branch(x)


torch.manual_seed(0)
stem, block, head = nn.Linear(3, 6), PreAct(6), nn.Linear(6, 1)
optimizer = torch.optim.SGD([*stem.parameters(), *block.parameters(), *head.parameters()], lr=0.05)
for _ in range(2):
    x, y = torch.randn(7, 3), torch.randn(7, 1)
    loss = F.mse_loss(head(block(stem(x))), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
with torch.no_grad():
    x = torch.randn(4, 6)
    same = torch.allclose(block(x.clone()), x + block.branch(x.clone()))
print("OK" if same else "HAZARD-OBSERVED")

import torch
import torch.nn as nn


class FocalLoss(nn.Module):
    def __init__(self, gamma=2.0):
        super().__init__()
        self.gamma = gamma
        self.ce = nn.CrossEntropyLoss(reduction="none")

    def forward(self, logits, target, weight):
        ce = self.ce(logits, target)
        pt = torch.exp(-ce)
        return ((1 - pt) ** self.gamma * ce * weight).mean()


torch.manual_seed(0)
model = nn.Linear(5, 4)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
criterion = FocalLoss()
for x, y, w in [(torch.randn(6, 5), torch.randint(4, (6,)), torch.rand(6)) for _ in range(2)]:
    optimizer.zero_grad()
    loss = criterion(model(x), y, w)
    loss.backward()
    optimizer.step()

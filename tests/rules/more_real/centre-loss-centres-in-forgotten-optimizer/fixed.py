import torch
import torch.nn as nn


class CenterLoss(nn.Module):
    def __init__(self, classes, dim):
        super().__init__()
        self.centers = nn.Parameter(torch.randn(classes, dim))

    def forward(self, features, labels):
        return (features - self.centers[labels]).pow(2).sum(1).mean()


class Embedder(nn.Module):
    def __init__(self, dim=6, classes=4):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, 16), nn.PReLU(), nn.Linear(16, dim))
        self.head = nn.Linear(dim, classes)

    def forward(self, x):
        features = self.body(x)
        return features, self.head(features)


torch.manual_seed(0)
model = Embedder()
criterion_xent, criterion_cent = nn.CrossEntropyLoss(), CenterLoss(4, 6)
optimizer = torch.optim.SGD([*model.parameters(), *criterion_cent.parameters()], lr=0.05)
start = criterion_cent.centers.detach().clone()
for _ in range(3):
    x, y = torch.randn(10, 8), torch.randint(4, (10,))
    features, logits = model(x)
    loss = criterion_xent(logits, y) + 0.1 * criterion_cent(features, y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print("HAZARD-OBSERVED" if torch.equal(start, criterion_cent.centers.detach()) else "OK")

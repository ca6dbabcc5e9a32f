import torch
from torch import nn


class Tuned(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Sequential(nn.Linear(5, 8), nn.ReLU(inplace=True), nn.Linear(8, 8))
        self.head = nn.Linear(8, 2)
        self.backbone.requires_grad_(False)

    def forward(self, x):
        with torch.no_grad():
            features = self.backbone(x)
        return self.head(features)


torch.manual_seed(0)
model = Tuned()
optimizer = torch.optim.Adam(filter(lambda p: p.requires_grad, model.parameters()), lr=1e-2)
correct = 0
for _ in range(3):
    x, y = torch.randn(6, 5), torch.randint(2, (6,))
    logits = model(x)
    loss = nn.functional.cross_entropy(logits, y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    correct += logits.argmax(dim=1).eq(y).sum().item()
assert model.backbone[0].weight.grad is None
print("OK")

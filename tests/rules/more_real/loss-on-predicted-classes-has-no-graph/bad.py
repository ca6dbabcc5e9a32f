import torch
from torch import nn


class Classifier(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(7, 16), nn.ReLU())
        self.top = nn.Linear(16, classes)

    def forward(self, x):
        logits = self.top(self.body(x))
        return logits, logits.argmax(dim=1)


def run_epoch(model, loader, optimizer):
    correct = total = 0
    for x, y in loader:
        optimizer.zero_grad()
        logits, predicted = model(x)
        loss = nn.functional.mse_loss(predicted.float(), y.float())
        loss.backward()
        optimizer.step()
        correct += (predicted == y).sum().item()
        total += len(y)
    return correct / total


torch.manual_seed(0)
model = Classifier(4)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
loader = [(torch.randn(8, 7), torch.randint(4, (8,))) for _ in range(3)]
print(run_epoch(model, loader, optimizer))

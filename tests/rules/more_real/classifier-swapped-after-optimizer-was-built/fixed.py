import torch
from torch import nn


class Backbone(nn.Module):
    def __init__(self, classes=100):
        super().__init__()
        self.features = nn.Sequential(nn.Linear(12, 16), nn.ReLU())
        self.fc = nn.Linear(16, classes)

    def forward(self, x):
        return self.fc(self.features(x))


def get_optimizer(model, lr):
    return torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9)


def finetune(classes):
    model = Backbone()
    for p in model.features.parameters():
        p.requires_grad = False
    model.fc = nn.Linear(model.fc.in_features, classes)
    optimizer = get_optimizer(model, 0.05)
    start = model.fc.weight.detach().clone()
    for _ in range(3):
        x, y = torch.randn(8, 12), torch.randint(classes, (8,))
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
    return torch.equal(start, model.fc.weight.detach())


torch.manual_seed(0)
print("HAZARD-OBSERVED" if finetune(5) else "OK")

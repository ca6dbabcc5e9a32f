import torch
from torch import nn


class MultiDomain(nn.Module):
    def __init__(self, domains, width=8, classes=3):
        super().__init__()
        self.backbone = nn.Sequential(nn.Linear(5, width), nn.ReLU())
        self.heads = nn.ModuleDict()
        for domain in domains:
            self.heads[domain] = nn.Linear(width, classes)

    def forward(self, x, domain):
        return self.heads[domain](self.backbone(x))


def train(model, optimizer, batches):
    for domain, x, y in batches:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x, domain), y)
        loss.backward()
        optimizer.step()


torch.manual_seed(0)
domains = ["sketch", "photo"]
model = MultiDomain(domains)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
start = model.heads["photo"].weight.detach().clone()
train(model, optimizer, [(d, torch.randn(6, 5), torch.randint(3, (6,))) for d in domains * 2])
print("HAZARD-OBSERVED" if torch.equal(start, model.heads["photo"].weight.detach()) else "OK")

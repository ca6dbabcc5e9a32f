import torch
from torch import nn

torch.manual_seed(0)


class Trainer:
    def __init__(self):
        self.body = nn.Sequential(nn.Linear(6, 16), nn.ReLU())
        self.heads = nn.ModuleList([nn.Linear(16, 3) for _ in range(2)])
        self.optimizers = [torch.optim.SGD(m.parameters(), lr=0.1) for m in (self.body, self.heads)]

    def discrepancy(self, a, b):
        return (a.softmax(1) - b.softmax(1)).abs().mean()

    def clear(self):
        for optimizer in self.optimizers:
            optimizer.zero_grad()

    def train(self, source, labels, target, steps):
        criterion = nn.CrossEntropyLoss()
        for step in range(steps):
            self.clear()
            features = self.body(source)
            loss_source = sum(criterion(head(features), labels) for head in self.heads)
            loss_source.backward()
            features = self.body(target)
            loss_gap = self.discrepancy(*(head(features) for head in self.heads))
            for optimizer in self.optimizers:
                optimizer.step()
            if step % 50 == 0:
                print(f"source {loss_source.item():.3f} gap {loss_gap:.3f}")


def weights(target):
    torch.manual_seed(1)
    trainer = Trainer()
    trainer.train(source, labels, target, 20)
    return trainer.body[0].weight.detach()


source, labels = torch.randn(32, 6), torch.randint(3, (32,))
blind = torch.equal(weights(torch.randn(32, 6)), weights(torch.randn(32, 6) + 2))
print("HAZARD-OBSERVED" if blind else "OK")  # the weights do not depend on the target domain

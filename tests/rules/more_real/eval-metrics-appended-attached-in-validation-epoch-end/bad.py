import torch
import torch.nn as nn


class Module(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))

    def training_step(self, batch):
        return nn.functional.cross_entropy(self.net(batch[0]), batch[1])

    def validation_step(self, batch):
        return {"val_loss": nn.functional.cross_entropy(self.net(batch[0]), batch[1])}

    def validation_epoch_end(self, outputs):
        return torch.stack([o["val_loss"] for o in outputs]).mean()


class Trainer:
    def __init__(self, epochs):
        self.epochs, self.kept = epochs, []

    def validate(self, module, loader):
        outputs = []
        for batch in loader:
            outputs.append(module.validation_step(batch))
        self.kept = outputs
        return module.validation_epoch_end(outputs)

    def fit(self, module, train, valid):
        optimizer = torch.optim.Adam(module.parameters())
        for _ in range(self.epochs):
            for batch in train:
                optimizer.zero_grad()
                module.training_step(batch).backward()
                optimizer.step()
            self.validate(module, valid)


torch.manual_seed(0)
data = [(torch.randn(5, 4), torch.randint(2, (5,))) for _ in range(3)]
trainer = Trainer(2)
trainer.fit(Module(), data, data)
print("HAZARD-OBSERVED" if any(o["val_loss"].requires_grad for o in trainer.kept) else "OK")

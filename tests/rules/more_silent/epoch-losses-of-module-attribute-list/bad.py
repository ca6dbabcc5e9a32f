import torch
from torch import nn


class Module(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(3, 1)
        self.training_step_outputs = []

    def training_step(self, batch):
        x, y = batch
        loss = nn.functional.huber_loss(self.net(x), y)
        self.training_step_outputs.append(loss)
        return loss

    def on_train_epoch_end(self):
        mean = torch.stack(self.training_step_outputs).mean()
        self.training_step_outputs.clear()
        return mean


def fit(module, loader, epochs=2):
    optimizer, means = torch.optim.Adam(module.parameters()), []
    for _ in range(epochs):
        for batch in loader:
            optimizer.zero_grad()
            module.training_step(batch).backward()
            optimizer.step()
        means.append(module.on_train_epoch_end())
    return means


torch.manual_seed(0)
means = fit(Module(), [(torch.randn(4, 3), torch.randn(4, 1)) for _ in range(3)])
print("HAZARD-OBSERVED" if means[0].requires_grad else "OK")

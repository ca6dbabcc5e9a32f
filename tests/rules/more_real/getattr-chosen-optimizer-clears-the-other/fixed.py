import torch
import torch.nn as nn


class Trainer:
    phases = ("D", "G")

    def __init__(self):
        self.net_G = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3))
        self.net_D = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 1))
        for name in self.phases:
            setattr(self, f"opt_{name}", torch.optim.SGD(getattr(self, f"net_{name}").parameters(), lr=1e-2))
        self.bce = nn.BCEWithLogitsLoss()

    def loss_D(self, real):
        fake = self.net_G(torch.randn(len(real), 4)).detach()
        return self.bce(self.net_D(real), torch.ones(len(real), 1)) + self.bce(self.net_D(fake), torch.zeros(len(real), 1))

    def loss_G(self, real):
        return self.bce(self.net_D(self.net_G(torch.randn(len(real), 4))), torch.ones(len(real), 1))

    def train_step(self, real):
        clean = True
        for phase in self.phases:
            optimizer = getattr(self, f"opt_{phase}")
            loss = getattr(self, f"loss_{phase}")(real)
            weight = getattr(self, f"net_{phase}")[0].weight
            fresh = torch.autograd.grad(loss, weight, retain_graph=True)[0]
            optimizer.zero_grad()
            loss.backward()
            clean = clean and torch.allclose(fresh, weight.grad, atol=1e-7)
            optimizer.step()
        return clean


torch.manual_seed(0)
trainer = Trainer()
clean = [trainer.train_step(torch.randn(5, 3)) for _ in range(3)]
print("OK" if all(clean) else "HAZARD-OBSERVED")

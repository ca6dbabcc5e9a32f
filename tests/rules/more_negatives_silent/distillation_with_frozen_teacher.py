import torch
from torch import nn
import torch.nn.functional as F


class Distiller:
    def __init__(self, teacher, student, temperature=2.0, alpha=0.5):
        self.teacher, self.student = teacher.eval(), student
        self.t, self.alpha = temperature, alpha
        self.optimizer = torch.optim.SGD(student.parameters(), lr=0.1, momentum=0.9)
        self.meter = {"loss": 0.0, "right": 0, "seen": 0}

    @torch.no_grad()
    def soft_labels(self, x):
        return F.softmax(self.teacher(x) / self.t, dim=1)

    def step(self, x, y):
        target = self.soft_labels(x)
        logits = self.student(x)
        kd = F.kl_div(F.log_softmax(logits / self.t, dim=1), target, reduction="batchmean") * self.t**2
        loss = self.alpha * kd + (1 - self.alpha) * F.cross_entropy(logits, y)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.meter["loss"] += loss.item() * len(x)
        self.meter["right"] += (logits.argmax(1) == y).sum().item()
        self.meter["seen"] += len(x)


torch.manual_seed(0)
distiller = Distiller(nn.Linear(4, 3), nn.Linear(4, 3))
for _ in range(3):
    distiller.step(torch.randn(8, 4), torch.randint(3, (8,)))
assert distiller.teacher.weight.grad is None and distiller.meter["seen"] == 24
print("OK")

import torch
import torch.nn as nn
import torch.nn.functional as F


class Pair(nn.Module):
    def __init__(self):
        super().__init__()
        self.teacher = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, 5))
        self.student = nn.Sequential(nn.Linear(10, 8), nn.ReLU(), nn.Linear(8, 5))

    def forward(self, x):
        return self.teacher(x), self.student(x)


def soft_targets(logits, T):
    return F.softmax(logits / T, dim=1)


def kd_loss(student_logits, teacher_logits, T=4.0):
    targets = soft_targets(teacher_logits, T)
    return F.kl_div(F.log_softmax(student_logits / T, dim=1), targets, reduction="batchmean") * T * T


torch.manual_seed(0)
pair = Pair()
optimizer = torch.optim.SGD(pair.parameters(), lr=0.05, momentum=0.9)
reached = []
for _ in range(3):
    x, y = torch.randn(6, 10), torch.randint(5, (6,))
    teacher_logits, student_logits = pair(x)
    distill = kd_loss(student_logits, teacher_logits)
    grad = torch.autograd.grad(distill, pair.teacher[2].weight, retain_graph=True, allow_unused=True)[0]
    reached.append(grad is not None)
    loss = F.cross_entropy(teacher_logits, y) + 0.5 * F.cross_entropy(student_logits, y) + distill
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print("HAZARD-OBSERVED" if any(reached) else "OK")

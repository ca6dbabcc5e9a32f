import torch
from torch import nn
import torch.nn.functional as F


class SelfDistill(nn.Module):
    def __init__(self):
        super().__init__()
        self.teacher, self.student = nn.Linear(4, 3), nn.Linear(4, 3)

    def forward(self, x):
        return self.teacher(x), self.student(x)


torch.manual_seed(0)
model = SelfDistill()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
leaks = []
for _ in range(2):
    x, y = torch.randn(6, 4), torch.randint(3, (6,))
    teacher_logits, student_logits = model(x)
    teacher_probs = F.softmax(teacher_logits / 2, dim=1).detach()
    kd = F.kl_div(F.log_softmax(student_logits / 2, dim=1), teacher_probs, reduction="batchmean")
    leaks.append(torch.autograd.grad(kd, model.teacher.weight, retain_graph=True, allow_unused=True)[0] is not None)
    loss = F.cross_entropy(teacher_logits, y) + kd
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print("HAZARD-OBSERVED" if any(leaks) else "OK")

import torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(0)
teacher, student = nn.Linear(4, 3), nn.Linear(4, 3)
opt = torch.optim.SGD([*teacher.parameters(), *student.parameters()], lr=0.1)
x, y = torch.randn(10, 4), torch.randint(0, 3, (10,))
soft = F.softmax(teacher(x) / 2.0, dim=1)
for epoch in range(3):
    logits = student(x)
    loss = F.cross_entropy(logits, y) + F.kl_div(F.log_softmax(logits / 2.0, 1), soft, reduction="batchmean")
    opt.zero_grad()
    loss.backward()
    opt.step()
print("OK")

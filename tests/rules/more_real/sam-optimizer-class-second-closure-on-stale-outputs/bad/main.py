import torch
from torch import nn

from sam import SAM

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 10), nn.ReLU(), nn.Linear(10, 3))
criterion = nn.CrossEntropyLoss(label_smoothing=0.1)
optimizer = SAM(model.parameters(), torch.optim.SGD, lr=0.1, momentum=0.9)
for _ in range(2):
    x, y = torch.randn(6, 4), torch.randint(3, (6,))
    loss = criterion(model(x), y)
    loss.backward()
    optimizer.first_step(zero_grad=True)
    loss.backward()
    optimizer.second_step(zero_grad=True)

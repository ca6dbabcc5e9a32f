import torch
from torch import nn

torch.manual_seed(0)
model = nn.GRU(3, 5)
head = nn.Linear(5, 1)
opt = torch.optim.Adam([*model.parameters(), *head.parameters()])
for epoch in range(2):
    total, h = 0, None
    for x in torch.randn(4, 2, 6, 3):
        y, h = model(x, h)
        total += head(y).pow(2).mean()
    opt.zero_grad()
    total.backward()
    opt.step()
    print(epoch, total.item() / 4)
print("OK")

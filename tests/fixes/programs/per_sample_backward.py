import torch
from torch import nn
torch.manual_seed(0)
net = nn.Linear(3, 2)
loss_fn = nn.CrossEntropyLoss(reduction="none")
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(2):
    loss = loss_fn(net(torch.randn(6, 3)), torch.randint(0, 2, (6,)))
    opt.zero_grad()
    loss.backward()
    opt.step()
print("OK")

import torch
from torch import nn


def free_memory(module):
    for parameter in module.parameters():
        parameter.grad = None


torch.manual_seed(0)
net = nn.LSTM(3, 5, batch_first=True)
head = nn.Linear(5, 1)
both = nn.ModuleList([net, head])
optimizer = torch.optim.AdamW(both.parameters(), lr=0.01, weight_decay=0.0)
start = head.weight.detach().clone()
for step in range(3):
    x, y = torch.randn(4, 6, 3), torch.randn(4, 1)
    out, _ = net(x)
    loss = (head(out[:, -1]) - y).abs().mean()
    loss.backward()
    optimizer.step()
    free_memory(both)
print("HAZARD-OBSERVED" if torch.equal(start, head.weight) else "OK")

import torch
from torch import nn
torch.manual_seed(0)
cell = nn.GRUCell(2, 3)
opt = torch.optim.SGD(cell.parameters(), lr=0.1)
h = torch.zeros(1, 3)
for t in range(3):
    h = cell(torch.randn(1, 2), h)
    loss = h.sum()
    opt.zero_grad(); loss.backward(); opt.step()
    h.detach()
print("OK")

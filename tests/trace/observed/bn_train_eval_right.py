import torch
from torch import nn

torch.manual_seed(0)
m = nn.Sequential(nn.Conv1d(1, 4, 3), nn.BatchNorm1d(4), nn.ReLU(inplace=True), nn.Conv1d(4, 1, 3))
o = torch.optim.SGD(m.parameters(), 0.1)
for i in range(3):
    m.train()
    l = m(torch.randn(2, 1, 9)).mean() + m(torch.randn(2, 1, 9)).pow(2).mean()
    o.zero_grad()
    l.backward()
    o.step()
    m.eval()
    with torch.no_grad():
        v = m(torch.randn(2, 1, 9)).mean()
    print(l.item().hex(), v.item().hex())

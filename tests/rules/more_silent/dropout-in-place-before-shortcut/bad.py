import torch
from torch import nn
import torch.nn.functional as F


class Block(nn.Module):
    def __init__(self, width, p=0.5):
        super().__init__()
        self.fc, self.p = nn.Linear(width, width, bias=False), p
        nn.init.zeros_(self.fc.weight)

    def forward(self, inputs):
        hidden = self.fc(F.dropout(inputs, self.p, self.training, inplace=True))
        return inputs + hidden


torch.manual_seed(0)
net = nn.Sequential(nn.Linear(3, 8), Block(8), nn.Linear(8, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.01)
loss = net(torch.randn(4, 3)).mean()
loss.backward()
opt.step()
with torch.no_grad():
    x = torch.randn(4, 8)
    nn.init.zeros_(net[1].fc.weight)
    same = torch.equal(net[1](x.clone()), x)
print("OK" if same else "HAZARD-OBSERVED")

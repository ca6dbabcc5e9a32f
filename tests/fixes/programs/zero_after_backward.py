import torch
from torch import nn
torch.manual_seed(0)
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=1.0)
old = net.weight.detach().clone()
for step in range(2):
    loss = net(torch.ones(8, 4)).pow(2).mean()
    loss.backward()
    opt.zero_grad()
    opt.step()
print("OK" if not torch.equal(net.weight, old) else "HAZARD-OBSERVED never moved")

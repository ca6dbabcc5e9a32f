import torch
from torch import nn
torch.manual_seed(0)
net = nn.Linear(2, 1)
opt = torch.optim.LBFGS(net.parameters(), max_iter=4)
x, y = torch.randn(8, 2), torch.randn(8, 1)
out = net(x)
def closure():
    opt.zero_grad()
    loss = ((out - y) ** 2).mean()
    loss.backward()
    return loss
opt.step(closure)
print("OK")

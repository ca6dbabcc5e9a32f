import torch
from torch import nn

net = nn.Linear(4, 4)
opt = torch.optim.LBFGS(net.parameters(), max_iter=1)
y = net(torch.randn(4, 4))


def closure():
    err = y.mean()
    err.backward()
    return err


opt.step(closure)

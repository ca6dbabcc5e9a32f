import torch
from torch import nn
import torch.nn.functional as F


def train(weight):
    torch.manual_seed(0)
    net = nn.Linear(4, 3)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(2):
        xa, ya, xb = torch.randn(5, 4), torch.randint(3, (5,)), torch.randn(5, 4)
        optimizer.zero_grad()
        supervised = weight * F.cross_entropy(net(xa), ya)
        supervised.backward()
        optimizer.zero_grad()
        unsupervised = net(xb).pow(2).mean()
        unsupervised.backward()
        optimizer.step()
    return net.weight.detach()


print("HAZARD-OBSERVED" if torch.equal(train(0.0), train(1.0)) else "OK")

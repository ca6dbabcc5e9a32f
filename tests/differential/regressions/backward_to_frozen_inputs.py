import torch
from torch import nn

net = nn.Linear(4, 4)
x = torch.randn(2, 4, requires_grad=True)
for weight in net.parameters():
    weight.requires_grad = False
net(x).sum().backward(inputs=list(net.parameters()))

import torch
from torch import nn

layers = nn.ModuleList([nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 4), nn.Sigmoid()])

x = torch.randn(4, 4)
found = []
for index, layer in enumerate(layers):
    x = layer(x)
    if index in (0, 2):
        found.append(x)
for y in found:
    y.div_(16)
    total = y.pow(2).sum()
total.backward()

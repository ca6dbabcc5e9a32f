import torch
from torch import nn
net = nn.Linear(3, 1)
x = torch.randn(4, 3)
out = net(x).pow(2).mean()
out.backward()
saliency = x.grad
print("OK" if saliency is not None else "HAZARD-OBSERVED no input gradient")

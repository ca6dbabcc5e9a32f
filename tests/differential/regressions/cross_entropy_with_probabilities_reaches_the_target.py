import torch
from torch import nn

w = torch.rand(4, 4).requires_grad_(True)
target = torch.sigmoid(w)
loss = nn.CrossEntropyLoss()(torch.randn(4, 4), target)
loss.backward()
target.sum().backward()

import torch
from torch import nn

from train import run

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Dropout(0.1), nn.Linear(8, 1))
data = [(torch.randn(6, 4), torch.randn(6, 1)) for _ in range(3)]
print(run(net, data[:2], data[2:], epochs=2))

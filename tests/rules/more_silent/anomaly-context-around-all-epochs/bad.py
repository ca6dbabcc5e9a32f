import torch
from torch import nn
import warnings

warnings.simplefilter("ignore")
torch.manual_seed(0)
net = nn.Linear(2, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
slow = []


def train(epochs):
    for epoch in range(epochs):
        slow.append(torch.is_anomaly_enabled())
        optimizer.zero_grad()
        net(torch.randn(3, 2)).pow(2).mean().backward()
        optimizer.step()


with torch.autograd.detect_anomaly():
    train(2)
print("HAZARD-OBSERVED" if any(slow) else "OK")

import torch
from torch import nn


def train(scale):
    torch.manual_seed(0)
    net = nn.Linear(3, 1)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
    scaler = torch.amp.GradScaler("cpu", init_scale=scale, growth_interval=1000)
    for _ in range(2):
        optimizer.zero_grad()
        loss = net(torch.randn(4, 3)).pow(2).mean()
        scaler.scale(loss).backward()
        optimizer.step()
    return net.weight.detach()


print("OK" if torch.allclose(train(1.0), train(256.0), atol=1e-4) else "HAZARD-OBSERVED")

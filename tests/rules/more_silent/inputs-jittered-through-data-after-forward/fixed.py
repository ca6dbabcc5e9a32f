import torch
from torch import nn


def jitter(batch):
    return batch + 0.5 * torch.randn(batch.shape)


torch.manual_seed(0)
net = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.randn(6, 3)
honest = torch.autograd.grad(net(x).pow(2).mean(), net[0].weight)[0]
clean = net(x)
noisy = net(jitter(x))
consistency = clean.pow(2).mean() + 0 * noisy.mean()
optimizer.zero_grad()
consistency.backward()
same = torch.allclose(honest, net[0].weight.grad, atol=1e-6)
optimizer.step()
print("OK" if same else "HAZARD-OBSERVED")

import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(1, 20), nn.Tanh(), nn.Linear(20, 1))
meta_optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)


def functional(x, weights):
    return torch.tanh(x @ weights[0].t() + weights[1]) @ weights[2].t() + weights[3]


def adapt(x, y, lr=0.1, steps=3):
    weights = list(net.parameters())
    for _ in range(steps):
        loss = nn.functional.mse_loss(functional(x, weights), y)
        gradients = torch.autograd.grad(loss, weights, create_graph=True)
        weights = [w - lr * g for w, g in zip(weights, gradients)]
    return weights


helped = []
for _ in range(3):
    x = torch.rand(10, 1) * 4 - 2
    y = torch.sin(x + torch.rand(1))
    before = nn.functional.mse_loss(net(x), y).item()
    loss = nn.functional.mse_loss(functional(x, adapt(x, y)), y)
    helped.append(loss.item() < before)
    meta_optimizer.zero_grad()
    loss.backward()
    meta_optimizer.step()
print("OK" if all(helped) else "HAZARD-OBSERVED")

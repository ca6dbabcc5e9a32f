import torch
import torch.nn as nn


class HardGate(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.logits = nn.Parameter(torch.zeros(n))

    def forward(self, x):
        prob = torch.sigmoid(self.logits)
        mask = (prob > 0.4).float() + prob - prob.detach()
        return x * mask


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate, self.fc = HardGate(3), nn.Linear(3, 1)

    def forward(self, x):
        return self.fc(self.gate(x))


torch.manual_seed(0)
net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.5)
for _ in range(2):
    opt.zero_grad()
    net(torch.randn(6, 3)).square().mean().backward()
    opt.step()
print('HAZARD-OBSERVED' if not net.gate.logits.abs().sum() else 'OK')

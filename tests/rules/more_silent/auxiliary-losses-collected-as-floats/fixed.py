import torch
from torch import nn


class Router(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = nn.Linear(4, 3)
        self.experts = nn.ModuleList([nn.Linear(4, 4) for _ in range(3)])
        self.aux = []

    def forward(self, x):
        p = self.gate(x).softmax(-1)
        self.aux.append(p.mean(0).pow(2).sum())
        return sum(p[:, i : i + 1] * e(x) for i, e in enumerate(self.experts))


def gradient(coefficient):
    torch.manual_seed(0)
    net, head = Router(), nn.Linear(4, 2)
    opt = torch.optim.Adam([*net.parameters(), *head.parameters()])
    loss = nn.functional.cross_entropy(head(net(torch.randn(5, 4))), torch.randint(2, (5,)))
    loss += coefficient * sum(net.aux)
    opt.zero_grad()
    loss.backward()
    out = net.gate.weight.grad.clone()
    opt.step()
    return out


print("HAZARD-OBSERVED" if torch.equal(gradient(0.0), gradient(10.0)) else "OK")

import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 3)

    def forward(self, x):
        return self.fc(x)

    def regulariser(self):
        return sum(p.pow(2).sum() for p in self.parameters())


def gradient(strength):
    torch.manual_seed(0)
    model = Model()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loss = nn.functional.cross_entropy(model(torch.randn(6, 4)), torch.randint(3, (6,)))
    loss = loss + strength * model.regulariser()
    optimizer.zero_grad()
    loss.backward()
    grad = model.fc.weight.grad.clone()
    optimizer.step()
    return grad


print("HAZARD-OBSERVED" if torch.equal(gradient(0.0), gradient(1.0)) else "OK")

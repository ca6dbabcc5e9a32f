import torch
import torch.nn as nn


class WeightAverage:
    def __init__(self, model, decay=0.5):
        self.decay = decay
        self.values = [p.detach().clone() for p in model.parameters()]

    def update(self, model):
        for v, p in zip(self.values, model.parameters()):
            v.mul_(self.decay).add_(p.detach(), alpha=1 - self.decay)

    def load_into(self, model):
        for v, p in zip(self.values, model.parameters()):
            p.data.copy_(v)


torch.manual_seed(0)
model = nn.Sequential(nn.Linear(3, 6), nn.Tanh(), nn.Linear(6, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
average = WeightAverage(model)
right = []
for step in range(3):
    x = torch.randn(5, 3)
    loss = model(x).pow(2).mean()
    expected = torch.autograd.grad(loss, model[0].weight, retain_graph=True)[0]
    optimizer.zero_grad()
    loss.backward()
    right.append(torch.allclose(expected, model[0].weight.grad, atol=1e-7))
    optimizer.step()
    average.update(model)
average.load_into(model)
print("OK" if all(right) else "HAZARD-OBSERVED")

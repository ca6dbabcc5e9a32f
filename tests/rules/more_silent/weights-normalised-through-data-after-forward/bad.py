import torch
from torch import nn


class Projector(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(4, 6, bias=False), nn.Linear(6, 2, bias=False)

    def forward(self, x):
        return self.second(torch.tanh(self.first(x)))

    def project(self):
        for layer in (self.first, self.second):
            layer.weight.data.div_(layer.weight.data.norm(dim=1, keepdim=True))


torch.manual_seed(0)
model = Projector()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
wrong = []
for step in range(3):
    x, y = torch.randn(5, 4), torch.randn(5, 2)
    loss = nn.functional.mse_loss(model(x), y)
    honest = torch.autograd.grad(nn.functional.mse_loss(model(x), y), model.first.weight)[0]
    model.project()
    optimizer.zero_grad()
    loss.backward()
    wrong.append(not torch.allclose(honest, model.first.weight.grad, atol=1e-6))
    optimizer.step()
print("HAZARD-OBSERVED" if any(wrong) else "OK")

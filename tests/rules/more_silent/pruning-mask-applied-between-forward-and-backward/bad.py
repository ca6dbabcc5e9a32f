import torch
from torch import nn


class Pruner:
    def __init__(self, model, amount=0.5):
        self.masks = {n: (torch.rand_like(p) > amount).float() for n, p in model.named_parameters() if p.dim() > 1}

    def apply(self, model):
        for name, p in model.named_parameters():
            if name in self.masks:
                p.data.mul_(self.masks[name])


torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
pruner = Pruner(model)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x, y = torch.randn(6, 4), torch.randn(6, 1)
honest = torch.autograd.grad(nn.functional.mse_loss(model(x), y), model[0].weight)[0]
for step in range(1):
    output = model(x)
    pruner.apply(model)
    loss = nn.functional.mse_loss(output, y)
    optimizer.zero_grad()
    loss.backward()
    same = torch.allclose(honest, model[0].weight.grad, atol=1e-6)
    optimizer.step()
print("OK" if same else "HAZARD-OBSERVED")

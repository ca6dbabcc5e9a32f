import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(4, 1)
x, y = torch.randn(12, 4), torch.randn(12, 1)
optimizer = torch.optim.LBFGS(model.parameters(), lr=0.5, max_iter=3)
before = model.weight.detach().clone()


def closure():
    loss = nn.functional.mse_loss(model(x), y)
    loss.backward()
    optimizer.zero_grad(set_to_none=False)
    return loss


for _ in range(2):
    optimizer.step(closure)
print("HAZARD-OBSERVED" if torch.equal(before, model.weight) else "OK")

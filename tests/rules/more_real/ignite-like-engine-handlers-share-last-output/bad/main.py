import torch
from torch import nn

from engine import Engine, Events

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
history = []


def update(engine, batch):
    x, y = batch
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(x), y)
    loss.backward()
    optimizer.step()
    return loss


trainer = Engine(update)


@trainer.on(Events.ITERATION_COMPLETED, history)
def remember(engine, target):
    target.append(engine.state.output)


trainer.run([(torch.randn(5, 4), torch.randn(5, 1)) for _ in range(3)], max_epochs=2)
print("HAZARD-OBSERVED" if any(torch.is_tensor(h) and h.requires_grad for h in history) else "OK")

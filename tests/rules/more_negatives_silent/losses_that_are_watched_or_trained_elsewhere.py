"""Losses that are only printed in this place: of another network's turn, of validation, parts of a sum, of the same forward."""

import torch
from torch import nn

torch.manual_seed(0)
generator = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))
critic = nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 1))
model = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 1))
g_optimizer = torch.optim.Adam(generator.parameters(), lr=1e-3)
d_optimizer = torch.optim.Adam(critic.parameters(), lr=1e-3)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
g_loss = torch.tensor(0.0)

for step in range(12):
    real = torch.randn(8, 2)
    fake = generator(torch.randn(8, 4))
    d_loss_real = -critic(real).mean()
    d_loss_fake = critic(fake.detach()).mean()
    d_loss = d_loss_real + d_loss_fake
    d_optimizer.zero_grad()
    d_loss.backward()
    d_optimizer.step()
    if step % 4 == 0:
        g_loss = -critic(fake).mean()
        g_optimizer.zero_grad()
        g_loss.backward()
        g_optimizer.step()
    print(step, d_loss_real.item(), d_loss_fake.item(), g_loss.item())

x = torch.randn(64, 2)
y = x.prod(1, keepdim=True)
start = nn.functional.mse_loss(model(x), y).item()
for step in range(40):
    out = model(x[:48])
    loss = nn.functional.mse_loss(out, y[:48])
    absolute_loss = nn.functional.l1_loss(out, y[:48])  # of the same forward: a number to watch
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    validation_loss = nn.functional.mse_loss(model(x[48:]), y[48:])  # after the step
    if step % 20 == 0:
        print(loss.item(), absolute_loss.item(), f"{validation_loss:.3f}")
assert nn.functional.mse_loss(model(x), y).item() < start
print("OK")

import torch
from torch import nn
torch.manual_seed(0)
u = nn.Sequential(nn.Linear(1, 8), nn.Tanh(), nn.Linear(8, 1))
opt = torch.optim.Adam(u.parameters(), lr=1e-2)
x = torch.linspace(0, 1, 6).unsqueeze(1).requires_grad_(True)
for i in range(2):
    y = u(x)
    dy = torch.autograd.grad(y.sum(), x)[0]
    residual = (dy + y).pow(2).mean()
    boundary = (u(torch.zeros(1, 1)) - 1).pow(2).mean()
    opt.zero_grad()
    (residual + boundary).backward()
    opt.step()
print("OK")

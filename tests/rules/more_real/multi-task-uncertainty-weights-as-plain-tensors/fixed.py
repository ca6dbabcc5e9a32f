import torch
import torch.nn as nn


class MultiTask(nn.Module):
    def __init__(self, tasks):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(6, 16), nn.ReLU())
        self.heads = nn.ModuleList(nn.Linear(16, 1) for _ in range(tasks))
        self.log_vars = nn.ParameterList(torch.zeros(1) for _ in range(tasks))

    def loss(self, x, ys):
        h = self.trunk(x)
        total = 0
        for head, s, y in zip(self.heads, self.log_vars, ys):
            total = total + torch.exp(-s) * (head(h) - y).pow(2).mean() + s
        return total.sum()


torch.manual_seed(0)
model = MultiTask(2)
opt = torch.optim.Adam(model.parameters(), lr=1e-2)
for _ in range(3):
    loss = model.loss(torch.randn(8, 6), [torch.randn(8, 1) for _ in range(2)])
    opt.zero_grad()
    loss.backward()
    opt.step()
print("HAZARD-OBSERVED" if all(s.item() == 0 for s in model.log_vars) else "OK")

import torch
import torch.nn as nn


class AutoDecoder(nn.Module):
    def __init__(self, shapes, dim):
        super().__init__()
        self.codes = nn.Parameter(torch.zeros(shapes, dim))
        self.net = nn.Sequential(nn.Linear(dim + 2, 16), nn.ReLU(), nn.Linear(16, 1))

    def reset_codes(self):
        self.codes = nn.Parameter(torch.randn_like(self.codes) * 0.1)

    def forward(self, i, xy):
        return self.net(torch.cat([self.codes[i].expand(len(xy), -1), xy], 1))


torch.manual_seed(0)
model = AutoDecoder(3, 4)
model.reset_codes()
optimizer = torch.optim.Adam([{"params": model.net.parameters(), "lr": 1e-3}, {"params": [model.codes], "lr": 1e-2}])
start = model.codes.detach().clone()
for step in range(3):
    loss = model(step, torch.rand(8, 2)).abs().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print("HAZARD-OBSERVED" if torch.equal(start, model.codes.detach()) else "OK")

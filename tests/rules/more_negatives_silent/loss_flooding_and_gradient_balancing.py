import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)
trunk, a, b = nn.Linear(4, 6), nn.Linear(6, 2), nn.Linear(6, 1)
params = [*trunk.parameters(), *a.parameters(), *b.parameters()]
optimizer = torch.optim.Adam(params, lr=1e-2)
flood, smoothed = 0.05, None
for step in range(4):
    x = torch.randn(8, 4)
    h = torch.relu(trunk(x))
    la, lb = F.cross_entropy(a(h), torch.randint(2, (8,))), F.mse_loss(b(h).squeeze(1), torch.randn(8))
    ga = torch.autograd.grad(la, trunk.weight, retain_graph=True)[0].norm()
    gb = torch.autograd.grad(lb, trunk.weight, retain_graph=True)[0].norm()
    weight = (ga / (gb + 1e-8)).clamp(0.1, 10.0)
    loss = la + weight * lb
    loss = (loss - flood).abs() + flood
    scaled = loss / loss.detach().clamp(min=1.0)
    optimizer.zero_grad()
    scaled.backward()
    optimizer.step()
    smoothed = weight.item() if smoothed is None else 0.5 * smoothed + 0.5 * weight.item()
assert smoothed > 0
print("OK")

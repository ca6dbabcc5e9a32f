import torch
from torch import nn
class Norm(nn.Module):
    def __init__(self):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(3))
        self.mean = None
    def forward(self, x):
        mu = x.mean(0)
        self.mean = mu if self.mean is None else 0.5 * self.mean + 0.5 * mu
        return (x - self.mean) * self.gain
torch.manual_seed(0)
f, n = nn.Linear(2, 3), Norm()
opt = torch.optim.SGD([*f.parameters(), *n.parameters()], lr=0.1)
for _ in range(3):
    loss = n(f(torch.randn(4, 2))).pow(2).mean()
    opt.zero_grad(); loss.backward(); opt.step()
print("OK")

import torch
from torch import nn


class TwoHeads(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk, self.mid, self.a, self.b = nn.Linear(4, 8), nn.Linear(8, 8), nn.Linear(8, 2), nn.Linear(8, 1)

    def forward(self, x):
        h = torch.tanh(self.mid(self.trunk(x).tanh()))
        return self.a(h), self.b(h)


torch.manual_seed(0)
net = TwoHeads()
optimizer = torch.optim.AdamW(net.parameters(), lr=0.1, fused=True)
x, ya, yb = torch.randn(6, 4), torch.randint(2, (6,)), torch.randn(6, 1)
wrong = []
for step in range(2):
    out_a, out_b = net(x)
    loss_a, loss_b = nn.functional.cross_entropy(out_a, ya), nn.functional.mse_loss(out_b, yb)
    honest = torch.autograd.grad(loss_b, net.trunk.weight, retain_graph=True)[0]
    optimizer.zero_grad()
    loss_a.backward(retain_graph=True)
    optimizer.step()
    optimizer.zero_grad()
    loss_b.backward()
    wrong.append(not torch.allclose(honest, net.trunk.weight.grad, atol=1e-6))
    optimizer.step()
print("HAZARD-OBSERVED" if any(wrong) else "OK")

import torch
import torch.nn as nn


class GAT(nn.Module):
    def __init__(self, dim=4, out=3):
        super().__init__()
        self.w = nn.Linear(dim, out, bias=False)
        self.a = nn.Parameter(torch.randn(2, out))

    def forward(self, x, adjacency):
        h = self.w(x)
        scores = torch.tanh((h @ self.a[0])[:, None] + (h @ self.a[1])[None])
        scores = scores * adjacency
        return scores @ h


def reference(net, x, adjacency):
    h = net.w(x)
    scores = torch.tanh((h @ net.a[0])[:, None] + (h @ net.a[1])[None]) * adjacency
    return scores @ h


torch.manual_seed(0)
net = GAT()
x, adjacency = torch.randn(5, 4), (torch.rand(5, 5) > 0.5).float()
wanted = torch.autograd.grad(reference(net, x, adjacency).pow(2).sum(), net.a)[0]
net(x, adjacency).pow(2).sum().backward()
print("OK" if torch.allclose(wanted, net.a.grad, atol=1e-5) else "HAZARD-OBSERVED")

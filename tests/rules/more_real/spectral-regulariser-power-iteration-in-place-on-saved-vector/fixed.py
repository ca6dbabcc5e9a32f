import torch
import torch.nn as nn


class SpectralPenalty(nn.Module):
    def __init__(self, module, iterations=2):
        super().__init__()
        self.module, self.iterations = module, iterations
        self.register_buffer("u", torch.randn(module.weight.size(0)))

    def forward(self):
        weight = self.module.weight
        for _ in range(self.iterations):
            v = weight.t() @ self.u
            v = v / v.norm()
            with torch.no_grad():
                self.u = weight @ v
                self.u = self.u / self.u.norm()
        return (self.u @ (weight @ v)).pow(2)


torch.manual_seed(0)
layer = nn.Linear(4, 6)
penalty = SpectralPenalty(layer)
optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
for _ in range(2):
    optimizer.zero_grad()
    (layer(torch.randn(3, 4)).pow(2).mean() + 0.1 * penalty()).backward()
    optimizer.step()

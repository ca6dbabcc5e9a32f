import torch
import torch.nn as nn
import torch.nn.functional as F


class MemoryBank(nn.Module):
    def __init__(self, size, dim, momentum=0.5):
        super().__init__()
        self.register_buffer("bank", F.normalize(torch.randn(size, dim), dim=1))
        self.momentum = momentum

    def forward(self, z, index):
        logits = z @ self.bank.t() / 0.1
        self.update(z, index)
        return logits

    @torch.no_grad()
    def update(self, z, index):
        new = self.momentum * self.bank[index] + (1 - self.momentum) * z
        self.bank[index] = F.normalize(new, dim=1)


torch.manual_seed(0)
encoder = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 5))
memory = MemoryBank(20, 5)
optimizer = torch.optim.SGD(encoder.parameters(), lr=0.1)
for _ in range(2):
    x, index = torch.randn(4, 6), torch.randperm(20)[:4]
    z = F.normalize(encoder(x), dim=1)
    loss = F.cross_entropy(memory(z, index), index)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

import torch
import torch.nn as nn
import torch.nn.functional as F


class PrototypeNet(nn.Module):
    def __init__(self, dim, classes, momentum=0.9):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(dim, 16), nn.ReLU(), nn.Linear(16, 8))
        self.register_buffer("prototypes", torch.zeros(classes, 8))
        self.momentum = momentum

    def update_prototypes(self, z, labels):
        new = []
        for c in range(len(self.prototypes)):
            mean = z[labels == c].mean(0) if (labels == c).any() else self.prototypes[c]
            new.append(self.momentum * self.prototypes[c] + (1 - self.momentum) * mean)
        self.prototypes = torch.stack(new)

    def forward(self, x, labels):
        z = self.encoder(x)
        loss = F.cross_entropy(-torch.cdist(z, self.prototypes), labels)
        self.update_prototypes(z, labels)
        return loss


torch.manual_seed(0)
net = PrototypeNet(5, 3)
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
for _ in range(3):
    loss = net(torch.randn(12, 5), torch.arange(12) % 3)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

import torch
import torch.nn as nn


class Embed(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(5, 4)

    def forward(self, x):
        h = self.fc(x)
        h = h / h.norm(dim=1, keepdim=True)
        return h


torch.manual_seed(0)
model = Embed()
loss = model(torch.randn(3, 5)).sum()
loss.backward()

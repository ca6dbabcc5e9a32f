import torch
import torch.nn as nn
import torch.nn.functional as F


class Scaled(nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model
        self.temperature = nn.Parameter(torch.ones(1) * 1.5)
        self.bias = nn.Parameter(torch.zeros(3))

    def scale(self, logits):
        return logits / self.temperature.item() + self.bias

    def fit(self, x, y):
        with torch.no_grad():
            logits = self.model(x)
        optimizer = torch.optim.Adam([self.temperature, self.bias], lr=0.1)
        for _ in range(5):
            optimizer.zero_grad()
            F.cross_entropy(self.scale(logits), y).backward()
            optimizer.step()
        return self.temperature.item()


torch.manual_seed(0)
scaled = Scaled(nn.Linear(4, 3))
print("HAZARD-OBSERVED" if scaled.fit(torch.randn(30, 4), torch.randint(3, (30,))) == 1.5 else "OK")

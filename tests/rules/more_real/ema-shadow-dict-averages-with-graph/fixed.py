import torch
import torch.nn as nn


class EMA:
    def __init__(self, model, decay):
        self.model, self.decay = model, decay
        self.shadow = {}

    def register(self):
        for name, param in self.model.named_parameters():
            if param.requires_grad:
                self.shadow[name] = param.data.clone()

    @torch.no_grad()
    def update(self):
        for name, param in self.model.named_parameters():
            if param.requires_grad:
                average = (1.0 - self.decay) * param + self.decay * self.shadow[name]
                self.shadow[name] = average.clone()

    def apply_shadow(self):
        self.backup = {}
        for name, param in self.model.named_parameters():
            self.backup[name] = param.data
            param.data = self.shadow[name].data

    def restore(self):
        for name, param in self.model.named_parameters():
            param.data = self.backup[name]


torch.manual_seed(0)
model = nn.Sequential(nn.Conv1d(3, 8, 3, padding=1), nn.ReLU(), nn.Flatten(), nn.Linear(64, 2))
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
ema = EMA(model, 0.99)
ema.register()
for epoch in range(2):
    for _ in range(3):
        x, y = torch.randn(4, 3, 8), torch.randint(0, 2, (4,))
        loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        ema.update()
    ema.apply_shadow()
    with torch.no_grad():
        model(torch.randn(4, 3, 8))
    ema.restore()
print("HAZARD-OBSERVED" if any(v.requires_grad for v in ema.shadow.values()) else "OK")

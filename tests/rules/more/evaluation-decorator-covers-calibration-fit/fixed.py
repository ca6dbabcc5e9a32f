import torch
from torch import nn


class TemperatureScaler(nn.Module):
    def __init__(self):
        super().__init__()
        self.log_t = nn.Parameter(torch.zeros(1))

    def forward(self, logits):
        return logits / self.log_t.exp()

    def fit(self, logits, labels):
        optimizer = torch.optim.Rprop([self.log_t], lr=0.1)

        @torch.enable_grad()
        def closure():
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(self(logits), labels)
            loss.backward()
            return loss

        for _ in range(10):
            closure()
            optimizer.step()
        return self


class Evaluator:
    def __init__(self, model, loader):
        self.model, self.loader = model, loader
        self.scaler = TemperatureScaler()

    def collect(self):
        pairs = [(self.model(x), y) for x, y in self.loader]
        return [torch.cat(t) for t in zip(*pairs)]

    @torch.no_grad()
    def run(self):
        self.model.eval()
        logits, labels = self.collect()
        calibrated = self.scaler.fit(logits, labels)(logits)
        return nn.functional.cross_entropy(calibrated, labels).item()


torch.manual_seed(0)
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 3))
data = [(torch.randn(8, 6), torch.randint(3, (8,))) for _ in range(3)]
print(Evaluator(model, data).run())

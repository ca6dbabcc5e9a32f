from collections import defaultdict

import torch
from torch import nn


class Evaluator:
    def __init__(self, model):
        self.model = model
        self.store = defaultdict(list)

    def run(self, loader):
        self.model.eval()
        for x, y in loader:
            logits = self.model(x).detach()
            self.store["logits"].append(logits)
            self.store["loss"].append(nn.functional.cross_entropy(logits, y))
        return {key: torch.cat([v.reshape(-1) for v in values]) for key, values in self.store.items()}


torch.manual_seed(0)
evaluator = Evaluator(nn.Linear(4, 3))
result = evaluator.run([(torch.randn(5, 4), torch.randint(3, (5,))) for _ in range(3)])
print("HAZARD-OBSERVED" if result["logits"].requires_grad else "OK")

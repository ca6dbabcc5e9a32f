import torch
from torch import nn

from runner import Runner

torch.manual_seed(0)
cfg = {"optimizer": {"type": "SGD", "lr": 1.0}, "hooks": [{"type": "clip", "max_norm": 0.1}, {"type": "count"}]}
model = nn.Linear(3, 1)
runner = Runner(model, cfg)
start = model.weight.detach().clone()
runner.train_iter((5 * torch.randn(10, 3), 5 * torch.randn(10, 1)))
print("OK" if (model.weight.detach() - start).norm() <= 0.1001 else "HAZARD-OBSERVED")

import torch

from config import TrainConfig
from steps import Runner

torch.manual_seed(0)
runner = Runner(TrainConfig())
start = torch.nn.utils.parameters_to_vector(runner.model.parameters()).detach().clone()
data = [(torch.randn(16, 6) * 3, torch.randn(16, 1) * 5) for _ in range(1)]
runner.run(data)
moved = (torch.nn.utils.parameters_to_vector(runner.model.parameters()).detach() - start).norm().item()
print("OK" if moved > 0.49 else "HAZARD-OBSERVED")

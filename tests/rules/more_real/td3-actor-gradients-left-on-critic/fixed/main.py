import torch

from agent import TD3

torch.manual_seed(0)
agent = TD3(obs_dim=6, act_dim=2)
clean = []
for _ in range(6):
    clean.append(agent.train(torch.randn(12, 6), torch.rand(12, 2) * 2 - 1, torch.randn(12, 1), torch.randn(12, 6)))
print("OK" if all(clean) else "HAZARD-OBSERVED")

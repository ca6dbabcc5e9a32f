import torch

torch.manual_seed(0)
w = torch.randn(4, requires_grad=True)
goal = torch.randn(4)
value = w.detach().clone()
for _ in range(3):
    value = value - 0.1 * 2 * (value + 1.0 - goal)
result = [[value]]

import torch
import torch.nn as nn


def ensure_shared_grads(local, shared):
    for param, shared_param in zip(local.parameters(), shared.parameters()):
        if shared_param.grad is not None:
            return
        shared_param._grad = param.grad


torch.manual_seed(0)
shared, local = nn.Linear(4, 2), nn.Linear(4, 2)
optimizer = torch.optim.SGD(shared.parameters(), lr=0.1)
right = []
for update in range(3):
    local.load_state_dict(shared.state_dict())
    local.zero_grad()
    loss = (local(torch.randn(5, 4)) * (update + 1)).pow(2).mean()
    loss.backward()
    ensure_shared_grads(local, shared)
    right.append(torch.allclose(shared.weight.grad, local.weight.grad))
    optimizer.step()
print("OK" if all(right) else "HAZARD-OBSERVED")

import torch
import torch.nn as nn

torch.manual_seed(0)
value_net = nn.Sequential(nn.Linear(4, 12), nn.Tanh(), nn.Linear(12, 1))
params = list(value_net.parameters())
optimizer = torch.optim.LBFGS(params, lr=0.1, max_iter=3)
states, returns = torch.randn(20, 4), torch.randn(20, 1)
penalties = []


def closure():
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(value_net(states), returns)
    l2 = sum((p.pow(2).sum() for p in params), torch.zeros(()))
    penalties.append(float(l2))
    (loss + 1e-3 * l2).backward()
    return loss


optimizer.step(closure)
print("OK" if all(p > 0 for p in penalties) else "HAZARD-OBSERVED")

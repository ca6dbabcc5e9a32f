import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(3, 1, bias=False)
optimizer = torch.optim.SGD(net.parameters(), lr=1.0)
steps, log = 0, []
for x in torch.randn(4, 8, 3) * 20:
    before = net.weight.detach().clone()
    loss = net(x).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if steps % 1 == 0:
        moved = (net.weight.detach() - before).norm().item()
        nn.utils.clip_grad_norm_(net.parameters(), 0.01)
        log.append(moved)
    steps += 1
print("OK" if max(log) < 0.011 and min(log) > 0 else "HAZARD-OBSERVED")

import torch
from torch import nn

torch.manual_seed(0)
a, b = nn.Linear(3, 3), nn.Linear(3, 1)
opts = [torch.optim.SGD(m.parameters(), lr=0.1) for m in (a, b)]
scaler = torch.amp.GradScaler("cpu", init_scale=64.0)
for _ in range(2):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        loss = b(a(torch.randn(4, 3)).relu()).float().pow(2).mean()
    for o in opts:
        o.zero_grad()
    scaler.scale(loss).backward()
    for o, m in zip(opts, (a, b)):
        scaler.unscale_(o)
        nn.utils.clip_grad_norm_(m.parameters(), 1.0)
        scaler.step(o)
    scaler.update()
print("OK")

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 8), nn.SiLU(inplace=True), nn.Linear(8, 2))
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda s: min(1.0, (s + 1) / 3))
scaler = torch.amp.GradScaler("cpu", init_scale=256.0)
accumulate, total = 2, 0.0
optimizer.zero_grad(set_to_none=True)
for step in range(6):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        loss = nn.functional.cross_entropy(model(torch.randn(5, 4)), torch.randint(2, (5,))) / accumulate
    scaler.scale(loss).backward()
    total += loss.detach().float()
    if (step + 1) % accumulate == 0:
        scaler.unscale_(optimizer)
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad(set_to_none=True)
        scheduler.step()
assert not total.requires_grad
print("OK")

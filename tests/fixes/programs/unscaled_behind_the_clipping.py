import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(5, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
scaler = torch.amp.GradScaler("cpu")
accum = 4
before = [p.detach().clone() for p in net.parameters()]
for i in range(4):
    x, y = torch.randn(8, 5), torch.randn(8, 1)
    loss = nn.functional.mse_loss(net(x), y) / accum
    scaler.scale(loss).backward()
    if (i + 1) % accum == 0:
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)  # 裁剪
        scaler.unscale_(opt)
        scaler.step(opt)
        scaler.update()
        opt.zero_grad()
# Clipping the scaled gradients would leave almost nothing of the step.
assert max((p - q).abs().max().item() for p, q in zip(net.parameters(), before)) > 1e-3
print("OK")

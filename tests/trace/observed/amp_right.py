import torch
from torch import nn

torch.manual_seed(0)
m = nn.Sequential(nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4), nn.ReLU(True), nn.Flatten(), nn.Linear(4 * 36, 2))
opt = torch.optim.AdamW(m.parameters())
sc = torch.amp.GradScaler("cpu")
for i in range(3):
    x, y = torch.randn(4, 1, 8, 8), torch.randint(0, 2, (4,))
    opt.zero_grad(set_to_none=True)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        loss = nn.functional.cross_entropy(m(x), y)
    sc.scale(loss).backward()
    sc.unscale_(opt)
    n = nn.utils.clip_grad_norm_(m.parameters(), 1.0)
    sc.step(opt)
    sc.update()
    print(loss.item().hex(), n.item().hex())

import torch
from torch import nn

torch.manual_seed(0)
m = nn.Linear(4, 2)
opt = torch.optim.AdamW(m.parameters())
sc = torch.amp.GradScaler("cpu")
for i in range(3):
    x, y = torch.randn(4, 4), torch.randint(0, 2, (4,))
    opt.zero_grad(set_to_none=True)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        loss = nn.functional.cross_entropy(m(x), y)
    sc.scale(loss).backward()
    n = nn.utils.clip_grad_norm_(m.parameters(), 1.0)  # observed: AGH204
    sc.step(opt)
    sc.update()
    print(loss.item().hex(), n.item().hex())

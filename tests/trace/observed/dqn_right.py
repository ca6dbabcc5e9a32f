import copy
import random

import torch
from torch import nn

torch.manual_seed(2)
random.seed(2)
q = nn.Sequential(nn.Linear(3, 16), nn.ReLU(), nn.Linear(16, 2))
tgt = copy.deepcopy(q)
for p in tgt.parameters():
    p.requires_grad_(False)
opt = torch.optim.Adam(q.parameters())
buf = []
s = torch.randn(3)
for t in range(40):
    with torch.no_grad():
        a = q(s).argmax().item() if random.random() > 0.2 else random.randrange(2)
    s2 = torch.tanh(s + a)
    buf.append((s, a, s2.sum().item(), s2))
    s = s2
    if len(buf) > 8:
        b = random.sample(buf, 8)
        S = torch.stack([x[0] for x in b])
        A = torch.tensor([x[1] for x in b])
        R = torch.tensor([x[2] for x in b])
        S2 = torch.stack([x[3] for x in b])
        y = R + 0.9 * tgt(S2).max(1).values
        loss = nn.functional.smooth_l1_loss(q(S).gather(1, A[:, None]).squeeze(1), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        with torch.no_grad():
            for a_, b_ in zip(tgt.parameters(), q.parameters()):
                a_.mul_(0.95).add_(b_, alpha=0.05)
        if t % 10 == 0:
            print(loss.item().hex())

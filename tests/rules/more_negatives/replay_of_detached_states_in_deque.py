import random
from collections import deque, namedtuple

import torch
from torch import nn

Step = namedtuple("Step", ("state", "action", "reward"))
random.seed(0)
torch.manual_seed(0)
encoder, q = nn.Linear(3, 4), nn.Linear(4, 2)
opt = torch.optim.Adam([*encoder.parameters(), *q.parameters()])
buffer = deque(maxlen=20)
s = torch.randn(3)
for t in range(12):
    z = encoder(s)
    a = q(z).argmax().item()
    buffer.append(Step(s, a, random.random()))
    s = torch.tanh(s + 0.1 * torch.randn(3))
    if len(buffer) >= 4:
        batch = Step(*zip(*random.sample(buffer, 4)))
        values = q(encoder(torch.stack(batch.state)))[range(4), list(batch.action)]
        loss = (values - torch.tensor(batch.reward)).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
print("OK")

import random, collections
import torch
from torch import nn
random.seed(0); torch.manual_seed(0)
Transition = collections.namedtuple("Transition", "s q r")
q_net = nn.Linear(3, 2)
opt = torch.optim.SGD(q_net.parameters(), lr=0.01)
buffer = collections.deque(maxlen=50)
s = torch.randn(3)
for t in range(6):
    q = q_net(s).max()
    buffer.append(Transition(s, q, torch.randn(())))
    batch = random.sample(list(buffer), min(2, len(buffer)))
    target = torch.stack([tr.r + 0.9 * tr.q for tr in batch])
    pred = torch.stack([q_net(tr.s).max() for tr in batch])
    loss = (pred - target).pow(2).mean()
    opt.zero_grad(); loss.backward(); opt.step()
    s = torch.randn(3)
print("OK")

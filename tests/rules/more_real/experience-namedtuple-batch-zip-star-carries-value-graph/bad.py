import random
from collections import deque, namedtuple

import torch
import torch.nn as nn

Transition = namedtuple('Transition', ('state', 'action', 'value', 'reward'))


class Replay:
    def __init__(self, capacity):
        self.memory = deque([], maxlen=capacity)

    def push(self, *args):
        self.memory.append(Transition(*args))

    def sample(self, n):
        return random.sample(self.memory, n)

    def __len__(self):
        return len(self.memory)


torch.manual_seed(0)
random.seed(0)
q = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 2))
opt = torch.optim.AdamW(q.parameters(), lr=1e-3, amsgrad=True)
memory = Replay(50)


def optimise(batch_size=2):
    if len(memory) < batch_size:
        return
    batch = Transition(*zip(*memory.sample(batch_size)))
    values = torch.cat(batch.value)
    loss = nn.SmoothL1Loss()(values, torch.cat(batch.reward).unsqueeze(1))
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_value_(q.parameters(), 100)
    opt.step()


state = torch.randn(1, 3)
for t in range(5):
    out = q(state)
    action = out.max(1).indices.view(1, 1)
    memory.push(state, action, out.gather(1, action), torch.randn(1))
    state = torch.randn(1, 3)
    optimise()

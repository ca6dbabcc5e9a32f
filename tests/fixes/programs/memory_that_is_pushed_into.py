import collections

import torch
from torch import nn

torch.manual_seed(0)
Transition = collections.namedtuple("Transition", ("state", "value", "reward"))


class Memory:
    def __init__(self):
        self.items = collections.deque(maxlen=3)

    def push(self, *args):
        self.items.append(Transition(*args))


net = nn.Linear(3, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
memory = Memory()
for step in range(4):
    state = torch.randn(2, 3)
    value = net(state).tanh()
    memory.push(state, value, torch.ones(2, 1))
    batch = Transition(*[torch.cat(column) for column in zip(*memory.items)])
    loss = (net(batch.state) - batch.reward).pow(2).mean() + (net(batch.state) - batch.value).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
print("OK")

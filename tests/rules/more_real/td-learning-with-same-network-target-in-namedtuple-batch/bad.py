from collections import namedtuple

import torch
import torch.nn as nn
import torch.nn.functional as F

Batch = namedtuple("Batch", "state action reward next_state done")


class DQN(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(4, 24), nn.ReLU(), nn.Linear(24, 2))

    def forward(self, s):
        return self.net(s)


def sample(n):
    return Batch(torch.randn(n, 4), torch.randint(2, (n, 1)), torch.randn(n), torch.randn(n, 4), torch.zeros(n))


def td_loss(q, batch, gamma=0.98):
    value = q(batch.state).gather(1, batch.action).squeeze(1)
    nxt = q(batch.next_state).max(1).values
    target = batch.reward + gamma * nxt * (1 - batch.done)
    return F.smooth_l1_loss(value, target), F.smooth_l1_loss(value, target.detach())


torch.manual_seed(0)
q = DQN()
optimizer = torch.optim.Adam(q.parameters(), lr=1e-3)
same = []
for _ in range(3):
    loss, semi = td_loss(q, sample(16))
    wanted = torch.autograd.grad(semi, q.net[0].weight, retain_graph=True)[0]
    optimizer.zero_grad()
    loss.backward()
    same.append(torch.allclose(wanted, q.net[0].weight.grad, atol=1e-7))
    optimizer.step()
print("OK" if all(same) else "HAZARD-OBSERVED")

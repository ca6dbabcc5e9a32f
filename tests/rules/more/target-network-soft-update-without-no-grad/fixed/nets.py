import torch
from torch import nn


class Actor(nn.Module):
    def __init__(self, s, a):
        super().__init__()
        self.l1, self.l2 = nn.Linear(s, 16), nn.Linear(16, a)

    def forward(self, s):
        return torch.tanh(self.l2(torch.relu(self.l1(s))))


class Critic(nn.Module):
    def __init__(self, s, a):
        super().__init__()
        self.l1, self.l2 = nn.Linear(s + a, 16), nn.Linear(16, 1)

    def forward(self, s, a):
        return self.l2(torch.relu(self.l1(torch.cat([s, a], -1))))

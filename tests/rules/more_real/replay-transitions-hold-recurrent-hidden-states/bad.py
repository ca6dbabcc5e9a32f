import random
from collections import deque, namedtuple

import torch
import torch.nn as nn

Transition = namedtuple("Transition", "obs hidden action reward")


class RecurrentQ(nn.Module):
    def __init__(self, obs=3, hidden=8, actions=2):
        super().__init__()
        self.rnn = nn.GRUCell(obs, hidden)
        self.q = nn.Linear(hidden, actions)
        self.hidden_size = hidden

    def forward(self, obs, hidden):
        hidden = self.rnn(obs, hidden)
        return self.q(hidden), hidden


class Agent:
    def __init__(self):
        self.net = RecurrentQ()
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=1e-3)
        self.memory = deque(maxlen=50)
        self.hidden = torch.zeros(1, 8)

    def act(self, obs):
        values, hidden = self.net(obs, self.hidden)
        action = values.argmax(1)
        self.memory.append(Transition(obs, self.hidden, action, torch.randn(1)))
        self.hidden = hidden

    def learn(self, batch_size=3):
        batch = Transition(*zip(*random.sample(self.memory, batch_size)))
        obs, hidden = torch.cat(batch.obs), torch.cat(batch.hidden)
        action, reward = torch.cat(batch.action), torch.cat(batch.reward)
        values, _ = self.net(obs, hidden)
        chosen = values.gather(1, action.unsqueeze(1)).squeeze(1)
        loss = nn.functional.smooth_l1_loss(chosen, reward)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()


random.seed(0)
torch.manual_seed(0)
agent = Agent()
for step in range(8):
    agent.act(torch.randn(1, 3))
    if step >= 3:
        agent.learn()

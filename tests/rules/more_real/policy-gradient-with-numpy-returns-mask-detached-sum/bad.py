import torch
import torch.nn as nn
from torch.distributions import Categorical


class Agent(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(3, 12), nn.ReLU(), nn.Linear(12, 2))
        self.log_probs, self.rewards = [], []

    def act(self, obs):
        dist = Categorical(logits=self.net(obs))
        action = dist.sample()
        self.log_probs.append(dist.log_prob(action))
        return action.item()

    def loss(self, gamma=0.99):
        returns, running = [], 0.0
        for r in self.rewards[::-1]:
            running = r + gamma * running
            returns.insert(0, running)
        returns = torch.tensor(returns)
        log_probs = torch.tensor(self.log_probs)
        return -(log_probs * (returns - returns.mean())).sum()


torch.manual_seed(0)
agent = Agent()
optimizer = torch.optim.Adam(agent.parameters(), lr=1e-2)
for episode in range(2):
    for _ in range(5):
        agent.rewards.append(float(agent.act(torch.randn(3)) == 1))
    loss = agent.loss()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    agent.log_probs, agent.rewards = [], []

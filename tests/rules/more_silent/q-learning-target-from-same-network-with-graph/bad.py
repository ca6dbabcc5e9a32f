import torch
from torch import nn
import torch.nn.functional as F


class Agent:
    gamma = 0.9

    def __init__(self):
        self.q = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 2))
        self.opt = torch.optim.Adam(self.q.parameters(), lr=1e-3)

    def td_target(self, reward, next_state, done):
        best = self.q(next_state).max(dim=1).values
        return reward + self.gamma * best * (1 - done)

    def learn(self, s, a, r, s2, done):
        value = self.q(s).gather(1, a).squeeze(1)
        target = self.td_target(r, s2, done)
        loss = F.mse_loss(value, target)
        semi = torch.autograd.grad(F.mse_loss(value, target.detach()), self.q[0].weight, retain_graph=True)[0]
        self.opt.zero_grad()
        loss.backward()
        same = torch.allclose(semi, self.q[0].weight.grad)
        self.opt.step()
        return same


torch.manual_seed(0)
agent = Agent()
same = [agent.learn(torch.randn(6, 3), torch.randint(2, (6, 1)), torch.randn(6), torch.randn(6, 3), torch.zeros(6)) for _ in range(3)]
print("OK" if all(same) else "HAZARD-OBSERVED")
